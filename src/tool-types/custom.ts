// Tool type custom: posts the tool call to the owner's server, which responds with { result } or { error }.

import type { HttpRequest, HttpResponse } from '../base/outside/http-port.ts'
import { functionOf, type HttpTools, problem, TIMEOUT_MS } from './api-request.ts'
import { withHeader } from './http/authorization.ts'
import { asText, excerptOf, jsonOf, readResponse } from './http/response.ts'
import { type SendResult, type SendRules, send, statusFailure } from './http/send-request.ts'
import type { Outcome, Run, ToolFunction, ToolRecord, ToolType } from './ports.ts'
import { done } from './results.ts'
import { checkPresent, fillHeaders, fillUrl, namesIn, orTemplateError, valuesOf } from './template.ts'

type CustomConfig = {
  async?: boolean | null
  timeoutMs?: number | null
  retries?: number | null
  responseVariables?: Record<string, string> | null
  idempotent?: boolean | null
}

const BASE_DELAY_MS = 500

export function custom(tools: HttpTools): ToolType {
  return {
    problem,
    functions(tool) {
      if (problem(tool) !== null) return []
      const { timeoutMs, retries, idempotent, async: isAsync } = tool.config as CustomConfig
      const rules: SendRules = {
        timeoutMs: timeoutMs ?? TIMEOUT_MS,
        maxRetries: retries ?? 0,
        baseDelayMs: BASE_DELAY_MS,
        isExponential: true,
        isRepeatable: idempotent === true,
        hasEffect: true,
      }
      const start: ToolFunction['run'] = (run, signal) => runOnce(tools, tool, rules, run, signal)
      return [{ ...functionOf(tool, rules, start), isAsync: isAsync === true }]
    },
  }
}

async function runOnce(
  tools: HttpTools,
  tool: ToolRecord,
  rules: SendRules,
  run: Run,
  signal: AbortSignal,
): Promise<Outcome> {
  const request = orTemplateError(() => requestOf(tool, run))
  if ('error' in request) return request
  const done = async (leave: AbortSignal) => outcomeOf(await send(tools, tool, request, rules, leave), tool)
  if (!(tool.config as CustomConfig).async) return done(signal)
  // It outlives the turn and the call; only its own timeout ends it.
  return { ok: true, text: 'Started: the result is not waited for.', later: done(new AbortController().signal) }
}

function requestOf(tool: ToolRecord, run: Run): HttpRequest {
  const { context } = run
  const values = valuesOf(run, tool)
  checkPresent(namesIn([tool.requestUrl, tool.headers]), values)
  const call = context.call
  const body = JSON.stringify({
    toolCallId: run.id,
    tool: { id: tool.id, name: tool.name },
    arguments: run.args,
    call: call && { id: call.id, direction: call.direction, fromNumber: call.fromNumber, toNumber: call.toNumber },
    conversation: context.conversationId === null ? null : { id: context.conversationId },
    agent: context.agent,
  })
  const headers = { accept: 'application/json', ...fillHeaders(tool.headers ?? {}, values) }
  const request = { url: fillUrl(tool.requestUrl ?? '', values), method: 'POST', headers, body }
  return withHeader(withHeader(request, 'content-type', 'application/json'), 'Idempotency-Key', run.id)
}

function outcomeOf({ answer, failure, mask }: SendResult, tool: ToolRecord): Outcome {
  if (failure) return failure
  const told = objectOf(answer)
  const refusal = statusFailure(answer, mask, true)
  if (told.error !== undefined && told.error !== null) {
    const { error } = told
    const words = asText(typeof error === 'object' && 'message' in error ? error.message : error)
    return { ok: false, error: mask(words || 'It failed'), ...(refusal?.isDoubtful ? { isDoubtful: true } : {}) }
  }
  if (refusal) return refusal
  const read = readResponse(answer, { variables: (tool.config as CustomConfig).responseVariables ?? {} })
  if (typeof read === 'string')
    return {
      ok: false,
      error: `The server accepted the request (status ${answer.status}), but ${read}: ${mask(excerptOf(answer))}`,
    }
  const text = told.result === undefined ? read.text : asText(told.result)
  return done(text, read.variables, mask)
}

function objectOf(answer: HttpResponse): { result?: unknown; error?: unknown } {
  const value = jsonOf(answer)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
