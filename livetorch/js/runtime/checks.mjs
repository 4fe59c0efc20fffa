/** What torch asks of numbers before it computes with them: where it would raise, the page stops. */
/** @import { Table } from "./registry.mjs" */

/** @type {Table} */
export const checks = {
  "_assert_async.msg": [
    "self:T assert_msg",
    (self, message) => {
      if (!self.data[0]) throw new Error(message);
      return [];
    },
  ],
};
