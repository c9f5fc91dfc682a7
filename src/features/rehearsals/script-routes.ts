// /api/rehearsal-scripts: saved rehearsals and their runs.
import { Type } from 'typebox'
import { addList } from '../../http/list.ts'
import { ById, PageQuery } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { ListedRehearsal, type NewRehearsal, Rehearsal, type Script } from './schema.ts'
import { checkRehearsal, mayHear } from './script-checks.ts'
import {
  ListedScript,
  NewRun,
  NewScript,
  SavedScript,
  ScriptOfCall,
  ScriptPatch,
  ScriptQuery,
} from './script-schema.ts'
import { type NewSavedScript, type ScriptStore, toListedScript } from './script-store.ts'
import { toListedRehearsal } from './store.ts'

export type ScriptRouteParts = {
  scripts: ScriptStore
  /** Starts a run and returns immediately. */
  begin: (userId: string, asked: NewRehearsal, scriptId: string) => Promise<Rehearsal>
  /** The caller's actions in a call, with the results of its tools. */
  scriptOfCall: (userId: string, callId: string) => Promise<Omit<NewSavedScript, 'name'>>
}

export const scriptRoutes =
  (parts: ScriptRouteParts): Routes =>
  (api) => {
    const { scripts, scriptOfCall } = parts
    const one = { params: ById, response: { 200: SavedScript } }
    const check = (agentId: string, script: Script) => checkRehearsal({ steps: [], ...script, agentId })

    addList(api, '/rehearsal-scripts', {
      summary: 'List saved rehearsals with the last run of each, without scripts',
      record: ListedScript,
      query: Type.Object({ ...PageQuery.properties, ...ScriptQuery.properties }),
      page: (req, page) => scripts.page(req.userId, page, req.query.agentId),
      at: (row) => row.createdAt,
      toRecord: toListedScript,
    })

    api.get('/rehearsal-scripts/:id', { schema: { summary: 'Get a saved rehearsal', ...one } }, async (req) => {
      const saved = await scripts.get(req.userId, req.params.id)
      if (saved.callId !== null) mayHear(req.grant)
      return saved
    })

    api.post(
      '/rehearsal-scripts',
      { schema: { summary: 'Save a rehearsal', body: NewScript, response: { 201: SavedScript } } },
      async (req, reply) => {
        const { name, agentId, script } = req.body
        check(agentId, script)
        return reply.code(201).send(await scripts.create(req.userId, { name, agentId, script, callId: null }))
      },
    )

    api.post(
      '/rehearsal-scripts/from-call',
      {
        schema: {
          summary: 'Save a rehearsal that repeats what the caller of a call did; it is deleted together with the call',
          body: ScriptOfCall,
          response: { 201: SavedScript },
        },
      },
      async (req, reply) => {
        mayHear(req.grant)
        const { callId, name } = req.body
        const given = await scriptOfCall(req.userId, callId)
        return reply.code(201).send(await scripts.create(req.userId, { ...given, name: name ?? `call ${callId}` }))
      },
    )

    api.patch(
      '/rehearsal-scripts/:id',
      { schema: { summary: 'Update a saved rehearsal', body: ScriptPatch, ...one } },
      async (req) => {
        const before = await scripts.get(req.userId, req.params.id)
        if (before.callId !== null) mayHear(req.grant)
        check(req.body.agentId ?? before.agentId, req.body.script ?? before.script)
        return scripts.update(req.userId, before.id, req.body)
      },
    )

    api.delete(
      '/rehearsal-scripts/:id',
      { schema: { summary: 'Delete a saved rehearsal; its runs stay', ...one } },
      async (req) => scripts.remove(req.userId, req.params.id),
    )

    scriptRunRoutes(parts)(api)
  }

const scriptRunRoutes =
  ({ scripts, begin }: ScriptRouteParts): Routes =>
  (api) => {
    addList(api, '/rehearsal-scripts/:id/runs', {
      summary: 'List the runs of a saved rehearsal, newest first, without transcripts',
      params: ById,
      record: ListedRehearsal,
      check: (req) => scripts.get(req.userId, req.params.id),
      page: (req, page) => scripts.runs(req.userId, req.params.id, page),
      at: (row) => row.createdAt,
      toRecord: toListedRehearsal,
    })

    api.post(
      '/rehearsal-scripts/:id/runs',
      {
        schema: {
          summary: 'Run a saved rehearsal; responds at once, then poll GET /api/rehearsals/:id',
          params: ById,
          body: NewRun,
          response: { 201: Rehearsal },
        },
      },
      async (req, reply) => {
        const saved = await scripts.get(req.userId, req.params.id)
        if (saved.callId !== null) mayHear(req.grant)
        const { name, callId, script } = saved
        const agentId = req.body.agentId ?? saved.agentId
        const asked = { steps: [], ...script, name, agentId, replayOf: callId }
        return reply.code(201).send(await begin(req.userId, asked, saved.id))
      },
    )
  }
