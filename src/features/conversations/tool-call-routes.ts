// The tool calls of a conversation, and of a telephone call.
import type { ToolCallRow } from '../../db/tables.ts'
import { addList } from '../../http/list.ts'
import { ById } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import { ToolCallRecord } from './tool-call-schema.ts'
import { type ToolCallStore, toToolCall } from './tool-call-store.ts'

export type ToolCallParts = {
  toolCalls: ToolCallStore
  /** Each throws if the record does not exist or belongs to another user. */
  conversation: (userId: string, id: string) => Promise<unknown>
  call: (userId: string, id: string) => Promise<unknown>
}

export const toolCallRoutes =
  ({ toolCalls, conversation, call }: ToolCallParts): Routes =>
  (api) => {
    const list = {
      params: ById,
      record: ToolCallRecord,
      at: (row: ToolCallRow) => row.startedAt,
      toRecord: toToolCall,
    }

    addList(api, '/conversations/:id/tool-calls', {
      ...list,
      summary: 'List the tool calls of a conversation, oldest first',
      check: (req) => conversation(req.userId, req.params.id),
      page: (req, page) => toolCalls.page('conversationId', req.userId, req.params.id, page),
    })

    addList(api, '/calls/:id/tool-calls', {
      ...list,
      summary: 'List the tool calls of a call, oldest first',
      check: (req) => call(req.userId, req.params.id),
      page: (req, page) => toolCalls.page('callId', req.userId, req.params.id, page),
    })
  }
