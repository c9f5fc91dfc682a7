// Every type of tool, and what makes it: the one list to look at.
import { apiRequest } from './api-request.ts'
import { calendar } from './calendar/calendar.ts'
import { chatWorkspace } from './chat-workspace.ts'
import { custom } from './custom.ts'
import { dtmf } from './dtmf.ts'
import { endCall } from './end-call.ts'
import { tokenSource } from './http/oauth.ts'
import { mcp } from './mcp.ts'
import type { GuardedHttp, ToolType } from './ports.ts'
import { type FindPassages, query } from './query.ts'
import { sendText, type TextParts } from './send-text.ts'
import { spreadsheet } from './spreadsheet/spreadsheet.ts'
import type { OwnSheets } from './spreadsheet/spreadsheet-provider.ts'
import { type TransferParts, transferCall } from './transfer-call.ts'

export type ToolTypes = Readonly<Record<string, ToolType>>

/** What the types need of the world. */
export type KindParts = {
  http: GuardedHttp
  /** Search in knowledge bases. */
  findPassages?: FindPassages
  /** Spreadsheets of our own. */
  sheets?: OwnSheets
  /** Whoever has no telephone transfers no call and sends no text. */
  calls?: TextParts & Omit<TransferParts, 'http'>
}

/** A type that is not here offers nothing. */
export function toolKinds({ http, findPassages, sheets, calls }: KindParts): ToolTypes {
  const web = { http, tokens: tokenSource(http) }
  const kinds: ToolTypes = {
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
  return Object.fromEntries(Object.entries(kinds).map(([type, kind]) => [type, heedingProblems(kind)]))
}

/** A tool that must not be used as it is stored is never shown to its type: it offers nothing, and says why. */
export const heedingProblems = (kind: ToolType): ToolType => ({
  problem: (tool) => tool.problem ?? kind.problem?.(tool) ?? null,
  offers: (tool) => (tool.problem ? [] : kind.offers(tool)),
  ...(kind.ready ? { ready: async (tool) => (tool.problem ? undefined : kind.ready?.(tool)) } : {}),
  ...(kind.context
    ? { context: async (tool, said, signal) => (tool.problem ? null : (kind.context?.(tool, said, signal) ?? null)) }
    : {}),
  ...(kind.notice ? { notice: (tool) => (tool.problem ? null : (kind.notice?.(tool) ?? null)) } : {}),
  ...(kind.close ? { close: () => kind.close?.() ?? Promise.resolve() } : {}),
})
