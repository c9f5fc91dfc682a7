// /api/rehearsals
import { AppError } from '../../base/errors.ts'
import type { KeyGrant } from '../../http/auth.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { checkRehearsal } from './checks.ts'
import { ListedRehearsal, NewRehearsal, Rehearsal } from './schema.ts'
import { type RehearsalStore, toListedRehearsal } from './store.ts'

export type RehearsalParts = {
  rehearsals: RehearsalStore
  /** Resolves when the rehearsal has ended or, after a while, with the running one. */
  rehearse: (userId: string, asked: NewRehearsal) => Promise<Rehearsal>
  /** Stops a running rehearsal. */
  stop: (id: string) => void
}

export const rehearsalRoutes =
  ({ rehearsals, rehearse, stop }: RehearsalParts): Routes =>
  (api) => {
    const one = { params: ById, response: { 200: Rehearsal } }

    addList(api, '/rehearsals', {
      summary: 'List rehearsals, without transcripts',
      record: ListedRehearsal,
      page: (req, page) => rehearsals.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: toListedRehearsal,
    })

    api.get('/rehearsals/:id', { schema: { summary: 'Get a rehearsal with its result', ...one } }, async (req) => {
      const rehearsal = await rehearsals.get(req.userId, req.params.id)
      if (rehearsal.replayOf !== null) mayHear(req.grant)
      return rehearsal
    })

    api.post(
      '/rehearsals',
      {
        schema: {
          summary:
            'Run a rehearsal: a scripted or replayed caller talks to an agent; responds when it ends, or after a minute',
          body: NewRehearsal,
          response: { 201: Rehearsal },
        },
      },
      async (req, reply) => {
        checkRehearsal(req.body)
        if (req.body.replayOf) mayHear(req.grant)
        return reply.code(201).send(await rehearse(req.userId, req.body))
      },
    )

    api.delete(
      '/rehearsals/:id',
      { schema: { summary: 'Delete a rehearsal; a running one is stopped', ...one } },
      async (req) => {
        const removed = await rehearsals.remove(req.userId, req.params.id)
        stop(removed.id)
        return removed
      },
    )
  }

/** A replay reveals the transcript of a call. */
function mayHear(grant: KeyGrant | null): void {
  const scopes = grant?.scopes ?? null
  if (scopes === null || scopes.has('calls') || scopes.has('conversations')) return
  throw new AppError('forbidden', 'A replay of a call needs the scope calls or conversations too')
}
