// Validates responses against the OpenAPI document that the app serves.
import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { InjectOptions } from 'fastify'
import type { App } from '../src/app-types.ts'
import { type ErrorCode, errorCodes } from '../src/base/errors/error-codes.ts'
import { ERROR_CODE } from '../src/http/error-code-header.ts'
import { parseErrorCodes } from '../web/src/i18n/parse-error-codes.ts'

export type Answer = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of many shapes
  json: any
}

type Operation = { responses: Record<string, { content?: Record<string, { schema: object }> }> }
type Document = { paths: Record<string, Record<string, Operation>> }

type Path = { pattern: RegExp; statics: number; operations: Record<string, Operation> }

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
const compiled = new Map<object, ValidateFunction>()
/** Cached for all apps of this process: settings do not change the document's paths. */
let paths: Path[] | undefined

const pathsOf = (app: App): Path[] =>
  Object.entries((app.http.swagger() as unknown as Document).paths)
    .map(([path, operations]) => ({
      pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`),
      statics: path.split('/').filter((part) => !part.startsWith('{')).length,
      operations,
    }))
    .sort((a, b) => b.statics - a.statics)

/** Every error response names codes of the catalog, and no other response does. */
export function assertErrorCodes({ status, headers }: Pick<Answer, 'status' | 'headers'>, about: string): void {
  const header = headers[ERROR_CODE]
  if (status < 400) {
    assert.equal(header, undefined, about)
    return
  }
  assert.equal(typeof header, 'string', `${about}: status ${status} without X-Error-Code`)
  const problems = parseErrorCodes(String(header))
  assert.ok(problems.length > 0, `${about}: X-Error-Code cannot be read: ${header}`)
  for (const { code, params } of problems) {
    assert.ok(code in errorCodes, `${about}: ${code} is not in the catalogue`)
    const names = [...errorCodes[code as ErrorCode][1].matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual(Object.keys(params).sort(), names.sort(), `${about}: the parameters of ${code}`)
  }
}

export function answerChecker(app: App): (request: InjectOptions, answer: Answer) => void {
  function operationOf(method: string, url: string): Operation | undefined {
    paths ??= pathsOf(app)
    const path = url.split('?', 1)[0] ?? ''
    return paths.find((p) => p.pattern.test(path) && p.operations[method])?.operations[method]
  }

  return (request, answer) => {
    assertErrorCodes(answer, `${request.method ?? 'GET'} ${request.url}`)
    const method = (request.method ?? 'GET').toLowerCase()
    const url = typeof request.url === 'string' ? request.url : ''
    const operation = operationOf(method, url)
    if (!operation) return
    const status = String(answer.status)
    const range = `${status[0]}XX`
    const described = operation.responses[status] ?? operation.responses[range]
    assert.ok(described, `${method} ${url}: status ${status} is not in the OpenAPI document`)
    if (answer.json === undefined) return
    const schema = described.content?.['application/json']?.schema
    assert.ok(schema, `${method} ${url}: a JSON answer with status ${status} is not in the OpenAPI document`)
    let validate = compiled.get(schema)
    if (!validate) {
      validate = ajv.compile(schema)
      compiled.set(schema, validate)
    }
    assert.ok(
      validate(answer.json),
      `${method} ${url} does not fit the OpenAPI document: ${ajv.errorsText(validate.errors)}`,
    )
  }
}
