// The verb for the title of an error, from the request's method and path: "Could not save", "Could not load" …
import type { AskedFor } from './session.tsx'

export type Verb = 'load' | 'save' | 'create' | 'remove' | 'send' | 'test' | 'call' | 'import' | 'finish'

const verbOfMethod: Readonly<Record<string, Verb>> = { GET: 'load', PATCH: 'save', PUT: 'save', DELETE: 'remove' }
/** Verbs by the last segment of an action's path. */
const verbOfAction: Readonly<Record<string, Verb>> = {
  test: 'test',
  doctor: 'test',
  search: 'load',
  outbound: 'call',
  send: 'send',
  say: 'send',
  text: 'send',
  texts: 'send',
  import: 'import',
  imports: 'import',
  retry: 'send',
  redeliver: 'send',
}

/** `error` is what a query or `unwrap` throws. */
export function failedVerb(error: unknown): Verb {
  const asked = (error as { asked?: AskedFor | null } | null)?.asked
  if (!asked) return 'finish'
  const verb = verbOfMethod[asked.method]
  if (verb) return verb
  const words = asked.path.split('/').filter((word) => word !== '' && !word.startsWith('{'))
  const action = verbOfAction[words.at(-1) ?? '']
  if (action) return action
  // POST /api/agents creates a record; POST /api/agents/{id}/… runs an action on one.
  return words.length === 2 && !asked.path.includes('{') ? 'create' : 'finish'
}
