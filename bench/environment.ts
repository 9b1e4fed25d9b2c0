import { join } from "node:path";

/** Every variable of a site whose state is in this folder, so that nobody's own `.env` changes anything. */
export const siteEnvironment = (state: string) => ({
  HOST: "127.0.0.1",
  PORT: "",
  STATE_DIR: state,
  SSR_ENDPOINT: `unix:${sidecarSocket(state)}`,
  SITE_CONTENT: "",
  DATABASE_URL: "",
  SMTP_URL: "",
  CONTACT_FROM: "",
  CONTACT_TO: "",
  CONTACT_RETENTION_DAYS: "",
  TRUSTED_PROXIES: "",
  HSTS: "",
  SITE_DEV: "",
  ADMIN_LISTEN: "off",
  LOG_FORMAT: "",
  REQUEST_LOG: "",
  RUST_LOG: "error",
});

/** Where that site finds its sidecar. */
export const sidecarSocket = (state: string) => join(state, "ssr.sock");
