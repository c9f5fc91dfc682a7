// /api/rehearsals
import type { FastifyRequest } from 'fastify'
import { appError } from '../../base/errors/errors.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { type ComparedTurn, ListedRehearsal, NewRehearsal, Rehearsal } from './schema.ts'
import { checkRehearsal, mayHear } from './script-checks.ts'
import { Comparison, ComparisonQuery, RunScript } from './script-schema.ts'
import { type RehearsalStore, toListedRehearsal } from './store.ts'

export type RehearsalParts = {
  rehearsals: RehearsalStore
  /** Resolves with the finished rehearsal or, after a while, with the running one. */
  rehearse: (userId: string, asked: NewRehearsal) => Promise<Rehearsal>
  /** Stops a running rehearsal. */
  stop: (id: string) => void
  /** Compares the replies of two runs turn by turn. */
  compare: (one: Rehearsal['turns'], other: Rehearsal['turns']) => ComparedTurn[]
}

export const rehearsalRoutes =
  (parts: RehearsalParts): Routes =>
  (api) => {
    const { rehearsals, compare } = parts

    addList(api, '/rehearsals', {
      summary: 'List rehearsals, without transcripts',
      record: ListedRehearsal,
      page: (req, page) => rehearsals.page(req.userId, page),
      at: (row) => row.createdAt,
      toRecord: toListedRehearsal,
    })

    api.get('/rehearsals/:id', { schema: { summary: 'Get a rehearsal with its result', ...ONE } }, (req) =>
      heard(rehearsals, req, req.params.id),
    )

    api.get(
      '/rehearsals/:id/script',
      {
        schema: {
          summary: 'Get what a rehearsal ran, without audio; null for one from before this was stored',
          params: ById,
          response: { 200: RunScript },
        },
      },
      async (req) => {
        const { id } = await heard(rehearsals, req, req.params.id)
        return rehearsals.scriptOf(req.userId, id)
      },
    )

    api.get(
      '/rehearsals/:id/comparison',
      {
        schema: {
          summary: 'Compare the answers of two rehearsals, turn by turn',
          params: ById,
          querystring: ComparisonQuery,
          response: { 200: Comparison },
        },
      },
      async (req) => {
        const one = await heard(rehearsals, req, req.params.id)
        if (req.query.with === undefined) throw appError('rehearsal_with_missing')
        const other = await heard(rehearsals, req, req.query.with)
        return { comparison: compare(one.turns, other.turns) }
      },
    )

    runRoutes(parts)(api)
  }

const ONE = { params: ById, response: { 200: Rehearsal } }

async function heard(
  rehearsals: RehearsalStore,
  { userId, grant }: Pick<FastifyRequest, 'userId' | 'grant'>,
  id: string,
): Promise<Rehearsal> {
  const rehearsal = await rehearsals.get(userId, id)
  if (rehearsal.replayOf !== null) mayHear(grant)
  return rehearsal
}

const runRoutes =
  ({ rehearsals, rehearse, stop }: RehearsalParts): Routes =>
  (api) => {
    api.post(
      '/rehearsals/:id/stop',
      { schema: { summary: 'Stop a running rehearsal; what has happened so far is kept', ...ONE } },
      async (req) => {
        await heard(rehearsals, req, req.params.id)
        const stopped = await rehearsals.stop(req.userId, req.params.id)
        stop(stopped.id)
        return stopped
      },
    )

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
      { schema: { summary: 'Delete a rehearsal; a running one is stopped', ...ONE } },
      async (req) => {
        const removed = await rehearsals.remove(req.userId, req.params.id)
        stop(removed.id)
        return removed
      },
    )
  }
