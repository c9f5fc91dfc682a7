// The API requests of an answer hook, for a number or an agent.
import { useEffect, useState } from 'react'
import type { AnswerHook, SavedAnswerHook, TestedHook } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { ApiError } from '../../session.tsx'
import type { bodyOf } from './answer-hook-form.ts'

export type HookOwner = { kind: 'did' | 'agent'; id: string }
type Body = ReturnType<typeof bodyOf>

export type HookRequests = {
  get(): Promise<AnswerHook>
  put(body: Body): Promise<SavedAnswerHook>
  remove(): Promise<AnswerHook>
  rotate(): Promise<SavedAnswerHook>
  test(caller: string | null): Promise<TestedHook>
}

export function hookRequests({ kind, id }: HookOwner): HookRequests {
  const params = { path: { id } }
  if (kind === 'did')
    return {
      get: () => unwrap(api.GET('/api/did/{id}/answer-hook', { params })),
      put: (body) => unwrap(api.PUT('/api/did/{id}/answer-hook', { params, body })),
      remove: () => unwrap(api.DELETE('/api/did/{id}/answer-hook', { params })),
      rotate: () => unwrap(api.POST('/api/did/{id}/answer-hook/rotate-secret', { params })),
      test: (caller) => unwrap(api.POST('/api/did/{id}/answer-hook/test', { params, body: { caller } })),
    }
  return {
    get: () => unwrap(api.GET('/api/agents/{id}/answer-hook', { params })),
    put: (body) => unwrap(api.PUT('/api/agents/{id}/answer-hook', { params, body })),
    remove: () => unwrap(api.DELETE('/api/agents/{id}/answer-hook', { params })),
    rotate: () => unwrap(api.POST('/api/agents/{id}/answer-hook/rotate-secret', { params })),
    test: (caller) => unwrap(api.POST('/api/agents/{id}/answer-hook/test', { params, body: { caller } })),
  }
}

/**
 * Null if there is none, undefined while loading. Fetched again whenever the dialog opens, so nobody edits stale data.
 */
export function useStoredHook(owner: HookOwner): AnswerHook | null | undefined {
  const { kind, id } = owner
  const [stored, setStored] = useState<AnswerHook | null | undefined>(undefined)
  const [failure, setFailure] = useState<unknown>(null)
  useEffect(() => {
    let isShown = true
    hookRequests({ kind, id })
      .get()
      .then(
        (hook) => isShown && setStored(hook),
        (error) => {
          if (!isShown) return
          if (error instanceof ApiError && error.statusCode === 404) setStored(null)
          else setFailure(error)
        },
      )
    return () => {
      isShown = false
    }
  }, [kind, id])
  if (failure) throw failure // the page's error boundary shows it
  return stored
}
