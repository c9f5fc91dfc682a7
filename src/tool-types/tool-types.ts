// The registry of tool types.

import type { GuardedHttp } from '../base/outside/http-port.ts'
import { apiRequest } from './api-request.ts'
import { calendar } from './calendar/calendar.ts'
import { chatWorkspace } from './chat-workspace.ts'
import { custom } from './custom.ts'
import { dtmf } from './dtmf.ts'
import { endCall } from './end-call.ts'
import { tokenSource } from './http/oauth.ts'
import { mcp } from './mcp.ts'
import type { ToolType } from './ports.ts'
import { type FindPassages, query } from './query.ts'
import { sendText, type TextParts } from './send-text.ts'
import { spreadsheet } from './spreadsheet/spreadsheet.ts'
import type { OwnSheets } from './spreadsheet/spreadsheet-provider.ts'
import { type TransferParts, transferCall } from './transfer-call.ts'

export type ToolTypes = Readonly<Record<string, ToolType>>

/** Dependencies of the tool types. */
export type ToolTypeParts = {
  http: GuardedHttp
  findPassages?: FindPassages
  sheets?: OwnSheets
  /** Without a phone there are no transfers and no text messages. */
  calls?: TextParts & Omit<TransferParts, 'http'>
}

/** Tools of an unlisted type offer nothing. */
export function toolTypes({ http, findPassages, sheets, calls }: ToolTypeParts): ToolTypes {
  const web = { http, tokens: tokenSource(http) }
  const types: ToolTypes = {
    api_request: apiRequest(web),
    custom: custom(web),
    chat_workspace: chatWorkspace(web),
    calendar: calendar(web),
    dtmf: dtmf(),
    end_call: endCall(),
    mcp: mcp(web),
    spreadsheet: spreadsheet({ ...web, ...(sheets ? { sheets } : {}) }),
    ...(findPassages ? { query: query(findPassages) } : {}),
    ...(calls ? { transfer_call: transferCall({ ...calls, http }), send_text: sendText(calls) } : {}),
  }
  return Object.fromEntries(Object.entries(types).map(([type, toolType]) => [type, withStoredProblems(toolType)]))
}

/** A tool with a stored problem never reaches its type: it offers nothing and says why. */
const withStoredProblems = (toolType: ToolType): ToolType => ({
  problem: (tool) => tool.problem ?? toolType.problem?.(tool) ?? null,
  functions: (tool) => (tool.problem ? [] : toolType.functions(tool)),
  ...(toolType.ready ? { ready: async (tool) => (tool.problem ? undefined : toolType.ready?.(tool)) } : {}),
  ...(toolType.context
    ? {
        context: async (tool, said, signal) => (tool.problem ? null : (toolType.context?.(tool, said, signal) ?? null)),
      }
    : {}),
  ...(toolType.notice ? { notice: (tool) => (tool.problem ? null : (toolType.notice?.(tool) ?? null)) } : {}),
  ...(toolType.close ? { close: () => toolType.close?.() ?? Promise.resolve() } : {}),
})
