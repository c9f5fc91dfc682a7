// File bodies: sent raw under their own media type, with a larger size limit than JSON, on routes that declare them.
import { createHash } from 'node:crypto'
import { appError } from '../base/errors.ts'
import { mediaTypeOf, UPLOAD_LIMIT } from './body-limit.ts'
import type { Api } from './server.ts'
import { type UploadBudget, uploadBudget } from './upload-budget.ts'
import { validatorCompiler } from './validation.ts'

/** One for each server. */
const budgets = new WeakMap<object, UploadBudget>()

/** The request body that a handler gets instead of JSON. */
export class Upload {
  readonly mediaType: string
  readonly charset: string | null
  readonly bytes: Buffer

  constructor(mediaType: string, charset: string | null, bytes: Buffer) {
    this.mediaType = mediaType
    this.charset = charset
    this.bytes = bytes
  }

  /** Identifies the request (see idempotency.ts) without holding its bytes. */
  toJSON() {
    return { mediaType: this.mediaType, sha256: createHash('sha256').update(this.bytes).digest('hex') }
  }
}

/** Adds routes whose body may be a file of one of these media types. The JSON form, if any, is validated as usual. */
export function withUploads(
  api: Api,
  accepted: readonly string[] | { mediaTypes: readonly string[]; limitBytes: number },
  add: (api: Api) => void,
): void {
  const { mediaTypes, limitBytes } =
    'limitBytes' in accepted ? accepted : { mediaTypes: accepted, limitBytes: UPLOAD_LIMIT }
  const budget = budgets.get(api.server) ?? uploadBudget()
  budgets.set(api.server, budget)
  api.register(async (child) => {
    child.addHook('preParsing', (req, reply, payload, done) => {
      if (!mediaTypes.includes(mediaTypeOf(req))) return done(null, payload)
      try {
        const counted = budget.admit(req, reply)
        if (counted) payload.on('error', (error) => counted.destroy(error)).pipe(counted)
        done(null, counted ?? payload)
      } catch (error) {
        done(error as Error)
      }
    })
    for (const mediaType of mediaTypes)
      child.addContentTypeParser(mediaType, { parseAs: 'buffer', bodyLimit: limitBytes }, (req, body, done) => {
        const encoding = req.headers['content-encoding']
        if (encoding && encoding !== 'identity') return done(appError('body_compressed'))
        const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(req.headers['content-type'] ?? '')?.[1] ?? null
        if (body.length === 0) return done(appError('body_missing'))
        done(null, new Upload(mediaType, charset, body as Buffer))
      })
    child.addHook('onRoute', (route) => {
      if (route.method !== 'GET' && route.method !== 'DELETE')
        route.config = { ...route.config, uploads: mediaTypes, uploadLimit: limitBytes }
    })
    child.setValidatorCompiler((part) => {
      const check = validatorCompiler(part as never)
      if (part.httpPart !== 'body') return check
      // Fastify reads `errors` from the function that it called.
      const either = Object.assign(
        (value: unknown) => {
          if (value instanceof Upload) return true
          const isValid = check(value)
          either.errors = check.errors
          return isValid
        },
        { errors: check.errors },
      )
      return either as never
    })
    add(child as Api)
  })
}
