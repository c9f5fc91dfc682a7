// /api/trunks, and the trunks of an agent
import { Type } from 'typebox'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import { requireScope } from '../../http/scopes.ts'
import type { Api, Routes } from '../../http/server.ts'
import { targetOf, versioned } from '../../http/versions.ts'
import { Duplicate } from '../agents/schema.ts'
import type { TrunkLinks } from './link-store.ts'
import {
  ByTrunk,
  Examination,
  LinkedTrunk,
  LinkTrunk,
  NewTrunk,
  Trunk,
  TrunkAgent,
  TrunkLink,
  TrunkPatch,
  TrunkQuery,
  TrunkReport,
} from './schema.ts'
import { type TrunkStore, toTrunk } from './store.ts'

export type TrunkParts = {
  trunks: TrunkStore
  links: TrunkLinks
  /** Runs live diagnostics against the trunk; takes up to 20 s. */
  examine: (userId: string, trunkId: string, options: Examination) => Promise<TrunkReport>
}

/** A key with scopes cannot reach private networks, even if an administrator created it. */
const accessOf = ({ grant }: { grant: { scopes: ReadonlySet<string> | null } | null }) => ({
  hasFullAccess: grant?.scopes === null,
})

export const trunkRoutes =
  (parts: TrunkParts): Routes =>
  (api) => {
    addTrunks(api, parts)
    addTrunkActions(api, parts)
    addLinks(api, parts)
  }

function addTrunks(api: Api, { trunks }: TrunkParts): void {
  const one = { params: ById, response: { 200: Trunk } }

  addList(api, '/trunks', {
    summary: 'List SIP trunks',
    record: Trunk,
    query: TrunkQuery,
    page: (req, page) => trunks.list.page(req.userId, { q: req.query.q }, page),
    at: trunks.list.at,
    toRecord: toTrunk,
  })

  api.get('/trunks/:id', { ...versioned, schema: { summary: 'Get a SIP trunk', ...one } }, (req) =>
    trunks.get(req.userId, req.params.id),
  )

  api.post(
    '/trunks',
    { ...versioned, schema: { summary: 'Create a SIP trunk', body: NewTrunk, response: { 201: Trunk } } },
    async (req, reply) => reply.code(201).send(await trunks.create(req.userId, req.body, accessOf(req))),
  )

  api.patch(
    '/trunks/:id',
    { ...versioned, schema: { summary: 'Update a SIP trunk', body: TrunkPatch, ...one } },
    (req) => trunks.update(req.userId, targetOf(req), req.body, accessOf(req)),
  )

  api.delete('/trunks/:id', { ...versioned, schema: { summary: 'Delete a SIP trunk and its links', ...one } }, (req) =>
    trunks.remove(req.userId, targetOf(req)),
  )
}

function addTrunkActions(api: Api, { trunks, links, examine }: TrunkParts): void {
  api.get(
    '/trunks/:id/agents',
    {
      schema: {
        summary: 'List the agents linked to a trunk',
        params: ById,
        response: { 200: Type.Array(TrunkAgent) },
      },
    },
    (req) => links.agentsOf(req.userId, req.params.id),
  )

  api.post(
    '/trunks/:id/doctor',
    {
      preValidation: async (req) => {
        const { echoNumber } = (req.body ?? {}) as { echoNumber?: unknown }
        // This places a real call, which costs money.
        if (echoNumber !== undefined && echoNumber !== null) requireScope(req.grant?.scopes ?? null, 'calls')
      },
      schema: {
        summary: 'Diagnose a SIP trunk: the fault and its fix',
        params: ById,
        body: Examination,
        response: { 200: TrunkReport },
      },
    },
    async (req) => {
      const { id } = await trunks.get(req.userId, req.params.id)
      return examine(req.userId, id, req.body)
    },
  )

  api.post(
    '/trunks/:id/duplicate',
    {
      schema: {
        summary: 'Copy a SIP trunk with its password; the copy is disabled and has no links',
        params: ById,
        body: Duplicate,
        response: { 201: Trunk },
      },
    },
    async (req, reply) =>
      reply.code(201).send(await trunks.duplicate(req.userId, req.params.id, req.body.name ?? undefined)),
  )
}

/** Routes for an agent's trunks. */
function addLinks(api: Api, { links }: TrunkParts): void {
  addList(api, '/trunk-links', {
    summary: 'List the links between agents and trunks',
    record: TrunkLink,
    page: (req, page) => links.page(req.userId, page),
    at: (row) => row.createdAt,
    toRecord: (row) => row,
  })

  api.post(
    '/agents/:id/link-trunk',
    {
      preValidation: async (req) => {
        const { phoneNumber } = (req.body ?? {}) as { phoneNumber?: unknown }
        if (phoneNumber !== undefined && phoneNumber !== null) requireScope(req.grant?.scopes ?? null, 'dids')
      },
      schema: {
        summary: "Link a trunk to an agent; a phoneNumber becomes one of the agent's DIDs",
        params: ById,
        body: LinkTrunk,
        response: { 200: LinkedTrunk, 201: LinkedTrunk },
      },
    },
    async (req, reply) => {
      const { made, link } = await links.link(req.userId, req.params.id, req.body)
      return reply.code(made ? 201 : 200).send(link)
    },
  )

  api.delete(
    '/agents/:id/link-trunk/:trunkId',
    { schema: { summary: 'Unlink a trunk from an agent', params: ByTrunk, response: { 200: LinkedTrunk } } },
    (req) => links.unlink(req.userId, req.params.id, req.params.trunkId),
  )

  api.get(
    '/agents/:id/linked-trunks',
    {
      schema: {
        summary: 'List the trunks linked to an agent',
        params: ById,
        response: { 200: Type.Array(LinkedTrunk) },
      },
    },
    (req) => links.list(req.userId, req.params.id),
  )
}
