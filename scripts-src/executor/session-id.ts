/**
 * Whether a text can be the id of a session: a UUID. Codex takes any other text for a name and silently begins a new
 * thread (FACTS-codex.md, Resume).
 */
export function isSessionId(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
