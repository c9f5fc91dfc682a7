// Lists: the whole array, read and sent in pages so that memory use and event-loop delay do not grow with its length;
// or, with ?limit, one page and a Link header to the next. With ?sort the list has another order, which its cursors
// name.
import { Readable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { appError } from '../base/errors/errors.ts'
import { parseOutside } from '../base/outside/json.ts'
import { limits } from '../base/outside/limits.ts'
import { type ById, PageQuery } from './schema.ts'
import { serializerOf } from './serializer.ts'
import type { Api } from './server.ts'

type Cursor = { at: string; id: string }
type Sort = { by: string; isDescending: boolean }
type Page = { limit: number; after?: Cursor; sort?: Sort }

/** The parts of a request that a list may depend on. */
type ListRequest<Q extends TObject, P extends TObject> = Pick<FastifyRequest, 'userId' | 'personId' | 'grant'> & {
  query: Static<Q>
  params: Static<P>
}

type List<R extends { id: string }, Q extends TObject, P extends TObject> = {
  summary: string
  record: TSchema
  page(req: ListRequest<Q, P>, page: Page): Promise<R[]>
  /** The value of the sort column, before the id; without `sort`, for the list's own order. */
  at(row: R, sort?: Sort): string
  toRecord(row: R): unknown
  /**
   * The record has its schema's fields in their order and none is nested, so JSON.stringify can write it in half the
   * time.
   */
  isFlat?(record: never): boolean
  query?: Q
  params?: P
  /** Throws if the listed parent does not exist or belongs to another user. */
  check?(req: ListRequest<Q, P>): Promise<unknown>
}

const PAGE = 200 // rows; about 2 ms of work at a time

/** Adds a GET route that returns a list. */
export function addList<
  R extends { id: string },
  Q extends TObject = typeof PageQuery,
  P extends TObject = typeof ById,
>(api: Api, url: string, list: List<R, Q, P>): void {
  const pageOf = (req: FastifyRequest, page: Page) => list.page(req as unknown as ListRequest<Q, P>, page)
  const stringify = serializerOf(list.record)
  const isFlat = list.isFlat as ((record: unknown) => boolean) | undefined
  const text = (rows: R[]) => {
    const records = rows.map((row) => list.toRecord(row))
    return isFlat && records.every(isFlat)
      ? JSON.stringify(records).slice(1, -1)
      : records.map((record) => stringify(record)).join(',')
  }
  const cursorOf = (row: R | undefined, sort?: Sort): Cursor | undefined =>
    row && { at: list.at(row, sort), id: row.id }

  async function* chunks(req: FastifyRequest, first: R[], sort?: Sort): AsyncGenerator<string> {
    let rows = first
    yield `[${text(rows)}`
    while (rows.length === PAGE) {
      await breathe()
      rows = await pageOf(req, { limit: PAGE, after: cursorOf(rows.at(-1), sort), ...(sort ? { sort } : {}) })
      if (rows.length > 0) yield `,${text(rows)}`
    }
    yield ']'
  }

  async function send(req: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { limit, cursor, sort: order } = req.query as PageQuery & { sort?: string }
    const after = cursor === undefined ? undefined : readCursor(cursor, order)
    const sort = order === undefined ? undefined : readSort(order)
    await list.check?.(req as unknown as ListRequest<Q, P>)
    reply.type('application/json; charset=utf-8')
    if (limit !== undefined) {
      const rows = await pageOf(req, { limit: limit + 1, after, ...(sort ? { sort } : {}) })
      const last = rows.length > limit ? cursorOf(rows[limit - 1], sort) : undefined
      if (last) reply.header('link', `<${nextUrl(req.url, writeCursor(last, order))}>; rel="next"`)
      return reply.send(`[${text(rows.slice(0, limit))}]`)
    }
    const first = await pageOf(req, { limit: PAGE, after, ...(sort ? { sort } : {}) })
    if (first.length < PAGE) return reply.send(`[${text(first)}]`)
    return reply.send(Readable.from(chunks(req, first, sort), { objectMode: false, highWaterMark: 65_536 }))
  }

  const schema: FastifySchema = {
    summary: list.summary,
    querystring: list.query ?? PageQuery,
    ...(list.params ? { params: list.params } : {}),
    response: { 200: Type.Array(list.record) },
  }
  api.get(
    url,
    {
      schema,
      // send() has already serialized a list; an error is still an object.
      serializerCompiler: ({ httpStatus }) => (httpStatus === '200' ? String : JSON.stringify),
    },
    send,
  )
}

/** `-startedAt` is descending. The route's schema has checked the name. */
const readSort = (order: string): Sort => ({ by: order.replace(/^-/, ''), isDescending: order.startsWith('-') })

const writeCursor = ({ at, id }: Cursor, order?: string) =>
  Buffer.from(JSON.stringify(order === undefined ? [at, id] : [at, id, order])).toString('base64url')

/** A cursor is valid only for the order it was issued in. */
function readCursor(text: string, order?: string): Cursor {
  try {
    const [at, id, ...rest] = parseOutside(Buffer.from(text, 'base64url'), limits.cursor) as unknown[]
    const isOfOrder = order === undefined ? rest.length === 0 : rest.length === 1 && rest[0] === order
    if (typeof at === 'string' && typeof id === 'string' && isOfOrder && !`${at}${id}`.includes('\0')) return { at, id }
  } catch {
    // Falls through to the rejection.
  }
  throw appError('cursor_invalid')
}

function nextUrl(url: string, cursor: string): string {
  const end = url.indexOf('?') // the query may contain further question marks
  const params = new URLSearchParams(end === -1 ? '' : url.slice(end + 1))
  params.set('cursor', cursor)
  return `${end === -1 ? url : url.slice(0, end)}?${params}`
}
