// /api/did/:id/answer-hook and /api/agents/:id/answer-hook
import { ById } from '../../http/schema.ts'
import type { Api, Routes } from '../../http/server.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import { AnswerHook, AnswerHookInput, HookTest, SavedAnswerHook, TestedHook } from './schema.ts'
import type { AnswerHookStore, HookKey } from './store.ts'

export type AnswerHookRouteParts = {
  hooks: AnswerHookStore
  /** Sends a sample request and returns the answer. */
  test: (key: HookKey, sample: HookTest) => Promise<TestedHook>
}

const owners = [
  { owner: 'dids', path: '/did/:id/answer-hook', of: 'a number' },
  { owner: 'agents', path: '/agents/:id/answer-hook', of: "an agent's web calls and texts" },
] as const

export const answerHookRoutes =
  (parts: AnswerHookRouteParts): Routes =>
  (api) => {
    for (const each of owners) addHook(api, parts, each)
  }

function addHook(api: Api, { hooks, test }: AnswerHookRouteParts, { owner, path, of }: (typeof owners)[number]): void {
  const one = { params: ById, response: { 200: AnswerHook } }
  const keyOf = (req: { userId: string; params: { id: string } }): HookKey => ({
    userId: req.userId,
    owner,
    id: req.params.id,
  })

  api.get(path, { ...versioned, schema: { summary: `Get the answer hook of ${of}`, ...one } }, (req) =>
    hooks.get(keyOf(req)),
  )

  api.put(
    path,
    {
      ...versioned,
      schema: {
        summary: `Create or replace the answer hook of ${of}; a new secret is returned only once`,
        params: ById,
        body: AnswerHookInput,
        response: { 200: SavedAnswerHook },
      },
    },
    (req) => hooks.put(keyOf(req), targetOf(req).ifMatch, req.body),
  )

  api.delete(path, { ...versioned, schema: { summary: `Delete the answer hook of ${of}`, ...one } }, (req) =>
    hooks.remove(keyOf(req), targetOf(req).ifMatch),
  )

  api.post(
    `${path}/rotate-secret`,
    {
      schema: {
        summary: `Rotate the secret of the answer hook of ${of}; the old one keeps signing for a day`,
        params: ById,
        response: { 200: SavedAnswerHook },
      },
    },
    (req) => hooks.rotateSecret(keyOf(req)),
  )

  api.post(
    `${path}/test`,
    {
      schema: {
        summary: `Ask the answer hook of ${of} about a sample call and return its answer`,
        params: ById,
        body: HookTest,
        response: { 200: TestedHook },
      },
    },
    (req) => test(keyOf(req), req.body),
  )
}
