import "./loader.ts";

/** The edition that this page is of: each one has its own name, also after the server's restart. */
let shown: string | undefined;

new EventSource("/_editions").addEventListener("message", ({ data }) => {
  if (shown !== undefined && shown !== data) {
    location.reload();
  }
  shown = data;
});
