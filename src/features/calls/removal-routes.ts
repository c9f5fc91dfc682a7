// Routes that delete a call, a conversation, or all data of a number.
import { ById } from '../../http/schema.ts'
import { requireScope } from '../../http/scopes.ts'
import type { Routes } from '../../http/server.ts'
import { Conversation } from '../conversations/schema.ts'
import type { Forget } from './forget-number-store.ts'
import { ForgetNumber, Forgotten } from './removal-schema.ts'
import type { Removal } from './removal-store.ts'
import { Call } from './schema.ts'

export const removalRoutes =
  ({ remove, forget }: { remove: Removal; forget: Forget }): Routes =>
  (api) => {
    api.delete(
      '/calls/:id',
      {
        schema: {
          summary: 'Delete a call with its recording and transcript',
          params: ById,
          response: { 200: Call },
        },
      },
      (req) => remove.call(req.userId, req.params.id),
    )

    api.delete(
      '/conversations/:id',
      {
        schema: {
          summary: 'Delete an ended conversation with its messages, tool calls, analysis, events and call',
          params: ById,
          response: { 200: Conversation },
        },
      },
      (req) => remove.conversation(req.userId, req.params.id, () => requireScope(req.grant?.scopes ?? null, 'calls')),
    )

    api.post(
      '/conversations/forget',
      {
        preValidation: async (req) => {
          const { number } = (req.body ?? {}) as { number?: unknown }
          if (number !== undefined) requireScope(req.grant?.scopes ?? null, 'calls')
        },
        schema: {
          summary: 'Delete all finished calls, conversations and text messages of a number',
          body: ForgetNumber,
          response: { 200: Forgotten },
        },
      },
      (req) => forget(req.userId, { number: req.body.number, dryRun: req.body.dryRun ?? false }),
    )
  }
