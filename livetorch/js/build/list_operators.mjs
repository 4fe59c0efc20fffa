/** Prints the names of the runtime's operators: `node list_operators.mjs > ../../program/operators.json`. */
import { operators } from "../runtime/load.mjs";

process.stdout.write(`${JSON.stringify(operators, null, 2)}\n`);
