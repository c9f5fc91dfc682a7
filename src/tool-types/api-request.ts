// Tool type api_request: one HTTP request as the owner configured it, filled with the model's arguments.

import type { GuardedHttp, HttpRequest } from '../base/outside/http-port.ts'
import { authorizationProblem, withHeader } from './http/authorization.ts'
import type { TokenSource } from './http/oauth.ts'
import { readResponse } from './http/response.ts'
import { type SendRules, send, statusFailure } from './http/send-request.ts'
import { parsePath } from './json-path.ts'
import type { Json, Outcome, Run, ToolFunction, ToolRecord, ToolType } from './ports.ts'
import { done } from './results.ts'
import {
  checkPresent,
  fillHeaders,
  fillJson,
  fillUrl,
  formOf,
  namesIn,
  orTemplateError,
  TemplateError,
  valuesOf,
} from './template.ts'

export type HttpTools = { http: GuardedHttp; tokens: TokenSource }

type ApiConfig = {
  timeoutMs?: number | null
  retry?: { maxRetries?: number | null; baseDelayMs?: number | null; type?: 'fixed' | 'exponential' | null } | null
  responseFilter?: string[] | null
  responseVariables?: Record<string, string> | null
  maxResponseBytes?: number | null
  idempotent?: boolean | null
}

export const TIMEOUT_MS = 15_000
const BASE_DELAY_MS = 500
const MAX_BODY_BYTES = 1_048_576
const FORM = 'application/x-www-form-urlencoded'

export function apiRequest(tools: HttpTools): ToolType {
  return {
    problem,
    functions(tool) {
      if (problem(tool) !== null) return []
      const rules = rulesOf(tool)
      return [functionOf(tool, rules, (run, signal) => runOnce(tools, tool, rules, run, signal))]
    },
  }
}

/** The function of a tool that is one request. */
export const functionOf = (tool: ToolRecord, rules: SendRules, run: ToolFunction['run']): ToolFunction => ({
  name: tool.name,
  description: tool.description ?? '',
  parameters: tool.parameters ?? { type: 'object', properties: {} },
  hasEffect: rules.hasEffect,
  isRepeatable: rules.isRepeatable,
  timeoutMs: rules.timeoutMs,
  run,
})

export function problem(tool: ToolRecord): string | null {
  if (!tool.requestUrl) return 'requestUrl is missing'
  return requestConfigError(tool) ?? authorizationProblem(tool.authorization)
}

export function requestConfigError({ config }: ToolRecord): string | null {
  const { responseFilter, responseVariables } = config as ApiConfig
  const isNoPath = (path: string) => parsePath(path) === null
  const filter = responseFilter?.find(isNoPath)
  if (filter !== undefined) return `responseFilter: ${filter} is no path`
  const variable = Object.values(responseVariables ?? {}).find(isNoPath)
  return variable === undefined ? null : `responseVariables: ${variable} is no path`
}

const methodOf = (tool: ToolRecord) => (tool.method ?? 'GET').toUpperCase()
const hasBody = (method: string) => method !== 'GET' && method !== 'HEAD'

function rulesOf(tool: ToolRecord): SendRules {
  const { timeoutMs, retry, idempotent } = tool.config as ApiConfig
  const method = methodOf(tool)
  return {
    timeoutMs: timeoutMs ?? TIMEOUT_MS,
    maxRetries: retry?.maxRetries ?? 0,
    baseDelayMs: retry?.baseDelayMs ?? BASE_DELAY_MS,
    isExponential: retry?.type !== 'fixed',
    isRepeatable: ['GET', 'HEAD', 'PUT', 'DELETE'].includes(method) || idempotent === true,
    hasEffect: hasBody(method),
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
  const { answer, failure, mask } = await send(tools, tool, request, rules, signal)
  if (failure) return failure
  const refusal = statusFailure(answer, mask, rules.hasEffect)
  if (refusal) return refusal
  const { responseFilter, responseVariables } = tool.config as ApiConfig
  const read = readResponse(answer, { filter: responseFilter ?? [], variables: responseVariables ?? {} })
  // The request was executed; only the response is unusable.
  if (typeof read === 'string')
    return { ok: false, error: `The server accepted the request (status ${answer.status}), but ${read}` }
  return done(read.text, read.variables, mask)
}

/** Throws TemplateError if a value is missing or invalid. */
export function requestOf(tool: ToolRecord, run: Run): HttpRequest {
  const values = valuesOf(run, tool)
  const method = methodOf(tool)
  const template = hasBody(method) ? tool.body : null
  const inHead = namesIn([tool.requestUrl, tool.headers])
  checkPresent([...inHead, ...namesIn(template)], values)
  const { maxResponseBytes } = tool.config as ApiConfig
  const request: HttpRequest = {
    url: fillUrl(tool.requestUrl ?? '', values),
    method,
    headers: { accept: 'application/json, text/*;q=0.9, */*;q=0.5', ...fillHeaders(tool.headers ?? {}, values) },
    ...(maxResponseBytes ? { maxBytes: maxResponseBytes } : {}),
  }
  if (!hasBody(method)) return request
  const keyed = withHeader(request, 'Idempotency-Key', run.id)
  // Without a configured body, the arguments used nowhere else are the body.
  const rest = Object.entries(run.args).filter(([name]) => !inHead.includes(name))
  if (template === null && (method === 'DELETE' || rest.length === 0)) return keyed
  const type = headerOf(tool, 'content-type')
  const filled = (template === null ? Object.fromEntries(rest) : fillJson(template, values)) as Json
  const body = type?.toLowerCase().startsWith(FORM) ? formOf(filled) : JSON.stringify(filled)
  if (Buffer.byteLength(body) > MAX_BODY_BYTES) throw new TemplateError('The values are too long')
  return { ...(type === undefined ? withHeader(keyed, 'content-type', 'application/json') : keyed), body }
}

const headerOf = (tool: ToolRecord, name: string): string | undefined =>
  Object.entries(tool.headers ?? {}).find(([other]) => other.toLowerCase() === name)?.[1]
