// A tool and one run of it, for tests of a single tool type.
import assert from 'node:assert/strict'
import { guardedHttp } from '../src/base/outside/guarded-http.ts'
import { tokenSource } from '../src/tool-types/http/oauth.ts'
import type { Json, Outcome, Run, ToolContext, ToolRecord, ToolType } from '../src/tool-types/ports.ts'

export const aTool = (fields: Partial<ToolRecord>): ToolRecord => ({
  id: 'tool_1',
  userId: 'usr_1',
  name: 'look up',
  description: 'Looks it up',
  type: 'api_request',
  method: null,
  requestUrl: null,
  parameters: null,
  headers: null,
  authorization: null,
  body: null,
  messages: null,
  config: {},
  ...fields,
})

export const aPlace = (fields: Partial<ToolContext> = {}): ToolContext => ({
  userId: 'usr_1',
  agent: { id: 'agt_1', name: 'Ana' },
  conversationId: 'con_1',
  language: 'pt-BR',
  timeZone: 'America/Sao_Paulo',
  call: null,
  variables: {},
  history: [],
  summary: async () => '',
  ...fields,
})

export const aRun = (args: Json = {}, place: Partial<ToolContext> = {}): Run => ({
  id: 'tcl_1',
  args,
  context: aPlace(place),
})

/** Tools with HTTP to loopback only. */
export function loopbackTools(t: { after(ending: () => unknown): void }) {
  const http = guardedHttp({ allowedNetworks: ['127.0.0.0/8'] })
  t.after(() => http.close())
  return { http, tokens: tokenSource(http) }
}

export async function runTool(
  kind: ToolType,
  tool: ToolRecord,
  run: Run,
  signal = new AbortController().signal,
): Promise<Outcome> {
  assert.equal(kind.problem?.(tool) ?? null, null)
  const [offer] = kind.functions(tool)
  assert.ok(offer, 'it offers nothing')
  return offer.run(run, signal)
}
