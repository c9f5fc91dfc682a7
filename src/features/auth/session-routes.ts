// /auth/sessions: lists a user's sessions and ends them.

import { Type } from 'typebox'
import type { SessionRow } from '../../db/tables.ts'
import { ById, errorAnswers } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { SessionRecord } from './schema.ts'
import { dropSessionCookie, type SessionContext } from './session-context.ts'
import type { Sessions } from './session-store.ts'

export const sessionRoutes =
  ({ sessions, context }: { sessions: Sessions; context: SessionContext }): Routes =>
  (app) => {
    const answers = (answer: object) => ({ hide: true, response: { 200: answer, ...errorAnswers } })

    app.get('/auth/sessions', { schema: answers(Type.Array(SessionRecord)) }, async (req) => {
      const { session } = await context.signedIn(req)
      return (await sessions.listOf(session.userId)).map((row) => toRecord(row, session.id))
    })

    app.delete('/auth/sessions', { schema: answers(Type.Array(SessionRecord)) }, async (req) => {
      const { session } = await context.signedIn(req)
      return (await sessions.endOthers(session.userId, session.id)).map((row) => toRecord(row, session.id))
    })

    app.delete('/auth/sessions/:id', { schema: { ...answers(SessionRecord), params: ById } }, async (req, reply) => {
      const { session } = await context.signedIn(req)
      const ended = await sessions.endOne(session.userId, req.params.id)
      if (ended.id === session.id) dropSessionCookie(req, reply)
      return toRecord(ended, session.id)
    })
  }

const toRecord = (row: SessionRow, currentId: string): SessionRecord => ({
  id: row.id,
  createdAt: row.createdAt,
  lastUsedAt: row.lastUsedAt,
  expiresAt: row.expiresAt,
  device: row.device,
  address: row.address,
  method: row.keyId === null ? 'password' : 'apiKey',
  isCurrent: row.id === currentId,
})
