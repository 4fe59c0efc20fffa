// What the button Embed copies: a frame that shows the figure in any page, and the few words that keep it as high as it is.

const FOOT = 44; // pixels: what a file adds below its figure

/** Texts of a figure stand in an attribute. @param {string} text */
const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const LISTENER = `<script>
addEventListener("message", ({ data, source }) => {
  if (data?.livetorch !== "size") return;
  for (const frame of document.querySelectorAll("iframe"))
    if (frame.contentWindow === source) frame.height = data.height;
});
</script>`;

/**
 * @param {{name: string, title: string|null}} spec
 * @param {{url: string, height: number}} place url: from the page's own address; height: until the frame says its own
 */
export function snippet({ name, title }, { url, height }) {
  const attributes = [
    `src="${quoted(new URL(url, location.href).href)}"`,
    `title="${quoted(title ?? name.replaceAll("-", " "))}"`,
    `width="100%" height="${Math.ceil(height) + FOOT}" loading="lazy" allow="clipboard-write" style="border: 0"`,
  ];
  return `<iframe ${attributes.join(" ")}></iframe>\n${LISTENER}\n`;
}
