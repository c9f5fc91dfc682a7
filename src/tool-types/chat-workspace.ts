// Tool type chat_workspace: posts a message by incoming webhook (Slack, Mattermost and others) or Slack's Web API.

import type { HttpRequest, HttpResponse } from '../base/outside/http-port.ts'
import { type HttpTools, TIMEOUT_MS } from './api-request.ts'
import { authorizationProblem, withHeader } from './http/authorization.ts'
import { excerptOf, jsonOf } from './http/response.ts'
import { type SendRules, send, statusFailure } from './http/send-request.ts'
import type { Json, Outcome, ToolRecord, ToolType } from './ports.ts'

type ChatConfig = { provider?: string | null; channel?: string | null; allowMentions?: boolean | null }

export type ChatTools = HttpTools & { slackUrl?: string }

const MAX_TEXT = 4000 // what Slack shows in one message

const parameters: Json = {
  type: 'object',
  properties: { text: { type: 'string', description: 'The message to send', minLength: 1 } },
  required: ['text'],
  additionalProperties: false,
}

/** The workspace has no idempotency keys: resent only if nothing was sent or it asked for a later retry. */
const rules: SendRules = {
  timeoutMs: TIMEOUT_MS,
  maxRetries: 1,
  baseDelayMs: 500,
  isExponential: true,
  isRepeatable: false,
  hasEffect: true,
}

export function chatWorkspace({ slackUrl = 'https://slack.com/api', ...tools }: ChatTools): ToolType {
  return {
    problem,
    functions(tool) {
      if (problem(tool) !== null) return []
      return [
        {
          name: tool.name,
          description: tool.description ?? 'Sends a message to the team',
          parameters: tool.parameters ?? parameters,
          hasEffect: true,
          isRepeatable: false,
          timeoutMs: rules.timeoutMs,
          async run(run, signal) {
            const text = typeof run.args.text === 'string' ? run.args.text.trim() : ''
            if (text === '') return { ok: false, error: 'Missing: text' }
            const request = requestOf(tool, fitMessage(text, tool.config as ChatConfig), slackUrl)
            const { answer, failure, mask } = await send(tools, tool, request, rules, signal)
            if (failure) return failure
            return refusalOf(answer, mask) ?? { ok: true, text: 'The message was sent.' }
          },
        },
      ]
    },
  }
}

function problem(tool: ToolRecord): string | null {
  if (!tool.requestUrl) {
    if (tool.authorization?.type !== 'bearer') return 'requestUrl of an incoming webhook, or a bearer token, is missing'
    if (!(tool.config as ChatConfig).channel) return 'config.channel is missing'
  } else if (/[{}]/.test(tool.requestUrl)) return 'requestUrl of an incoming webhook takes no values'
  return authorizationProblem(tool.authorization)
}

function requestOf(tool: ToolRecord, text: string, slackUrl: string): HttpRequest {
  const { channel } = tool.config as ChatConfig
  const request: HttpRequest = {
    url: tool.requestUrl ?? `${slackUrl}/chat.postMessage`,
    method: 'POST',
    headers: tool.headers ?? {},
    body: JSON.stringify({ ...(channel ? { channel } : {}), text }),
    maxBytes: 262_144,
  }
  return withHeader(request, 'content-type', 'application/json; charset=utf-8')
}

/** Shortened to the limit. Mentions are disabled unless the owner allows them: a caller may have dictated the text. */
export function fitMessage(text: string, { allowMentions }: ChatConfig): string {
  const cut = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`
  const plain = cut.toWellFormed()
  if (allowMentions) return plain
  // Slack's escapes disable <!channel>, <@U1> and disguised links; a zero-width space disables @channel in Mattermost
  // and others.
  return plain
    .replace(/[&<>]/g, (found) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[found] ?? found)
    .replace(/(^|[^\w])@(?=[\w])/g, '$1@\u200b')
}

/** Slack also responds 200 to a refused request, and says so in `ok`. */
function refusalOf(answer: HttpResponse, mask: (text: string) => string): Outcome | null {
  const refusal = statusFailure(answer, mask, true)
  if (refusal) return refusal
  const told = jsonOf(answer) as { ok?: unknown; error?: unknown } | null | undefined
  if (typeof told !== 'object' || told === null || told.ok !== false) return null
  const why = typeof told.error === 'string' ? told.error : excerptOf(answer)
  return { ok: false, error: mask(`The message was refused: ${why}`) }
}
