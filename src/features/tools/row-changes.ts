// Applies a request's fields to a tool's row, and checks what a schema cannot.
import type { KeyRing } from '../../base/crypto/secrets.ts'
import { compileUserSchema } from '../../base/domain/user-schema.ts'
import { appError } from '../../base/errors/errors.ts'
import { bit, fromJson, type ToolRow, toJson } from '../../db/tables.ts'
import type { ToolRecord } from '../../tool-types/ports.ts'
import { checkHeaders, checkRequestUrl } from './checks.ts'
import { configProblem, settingsIn } from './config-check.ts'
import { unmask } from './masks.ts'
import type { ToolPatch } from './schema.ts'
import { authorizationBinding, boundAfter, headersBinding, sentAuthorization, sentHeaders } from './secret-binding.ts'
import { opened, sealed, toRunnable } from './tool-row.ts'

/** Finds a mistake in the settings, as seen by the tool runtime. */
export type FindMistake = (tool: ToolRecord) => string | null

export function changed(secrets: KeyRing, findMistake: FindMistake, tool: ToolRow, sent: ToolPatch): ToolRow {
  const after = { ...tool }
  if (sent.name !== undefined) after.name = sent.name
  if (sent.type !== undefined) after.type = sent.type
  if (sent.isActive !== undefined) after.isActive = bit(sent.isActive)
  if (sent.description !== undefined) after.description = sent.description
  if (sent.method !== undefined) after.method = sent.method?.toUpperCase() ?? null
  if (typeof sent.requestUrl === 'string') checkRequestUrl(sent.requestUrl)
  if (sent.requestUrl !== undefined) after.requestUrl = sent.requestUrl
  if (sent.parameters) compileUserSchema(sent.parameters)
  if (sent.parameters !== undefined) after.parameters = toJson(sent.parameters)
  if (sent.body !== undefined) after.body = toJson(sent.body)
  if (sent.messages !== undefined) after.messages = toJson(sent.messages)
  if (sent.config !== undefined) after.config = toJson(sent.config)
  changeSecrets(secrets, tool, after, sent)
  checkSettings(secrets, findMistake, after, sent)
  return after
}

/** Writes the given secrets, and the origin each column is now bound to. */
function changeSecrets(
  secrets: KeyRing,
  before: ToolRow,
  after: ToolRow,
  { headers, authorization }: Pick<ToolPatch, 'headers' | 'authorization'>,
): void {
  if (headers) checkHeaders(headers)
  const old = opened(secrets, before)
  if (headers !== undefined)
    after.headersSealed = sealed(secrets, before, 'headersSealed', headers && unmask(headers, old.headers, 'headers'))
  const proof =
    authorization === undefined
      ? old.authorization
      : authorization && unmask(authorization, old.authorization, 'authorization')
  if (authorization !== undefined) after.authorizationSealed = sealed(secrets, before, 'authorizationSealed', proof)
  after.headersFor = boundAfter(sentHeaders(headers), before.headersFor, headersBinding(before), headersBinding(after))
  after.authorizationFor = boundAfter(
    sentAuthorization(authorization),
    before.authorizationFor,
    authorizationBinding(before, old.authorization),
    authorizationBinding(after, proof),
  )
}

/** Only if settings change, so that a tool older than a check can still be renamed or switched. */
function checkSettings(secrets: KeyRing, findMistake: FindMistake, after: ToolRow, sent: ToolPatch): void {
  const areSettings = [sent.type, sent.requestUrl, sent.body, sent.config].some((field) => field !== undefined)
  if (!areSettings && sent.authorization === undefined) return
  const runnable = toRunnable(secrets, after)
  const settings = settingsIn(after.type, fromJson(after.body), fromJson(after.config))
  const authorization = sent.authorization ? opened(secrets, after).authorization : null
  const problem = areSettings ? configProblem(after.type, settings) : null
  if (problem) throw problem
  const mistake = findMistake({ ...runnable, authorization, config: areSettings ? runnable.config : {} })
  if (mistake !== null) throw appError('tool_settings_invalid', { reason: mistake })
}
