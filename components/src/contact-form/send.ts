import type { ContactFormState, FieldError } from "../contract.ts";

/** What the form shows after an answer. */
export type Outcome = { state: ContactFormState; errors: FieldError[] };

/** An answer that takes longer than this is not coming. */
const PATIENCE_MS = 15_000;

/** Posts the form as a browser would, and asks for JSON instead of a page. */
export async function send(action: string, body: URLSearchParams): Promise<Outcome> {
  try {
    const response = await fetch(action, {
      method: "POST",
      headers: { accept: "application/json" },
      body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status === 429) {
      return { state: "limited", errors: [] };
    }
    const answer = await response.json();
    if (response.ok && answer.status === "sent") {
      return { state: "sent", errors: [] };
    }
    if (response.status === 422 && answer.errors.length > 0) {
      return { state: "idle", errors: answer.errors };
    }
  } catch {
    // No answer, or none that can be read: for the visitor both are a message that didn't arrive.
  }
  return { state: "failed", errors: [] };
}
