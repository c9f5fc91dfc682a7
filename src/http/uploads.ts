// File bodies: sent raw under their own media type, with a larger size limit than JSON, on routes that declare them.
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { appError } from '../base/errors/errors.ts'
import type { Pieces } from '../base/text/pieces.ts'
import { UPLOAD_LIMIT } from './body-limit.ts'
import type { ReceivedFile, ReceiveFile } from './received-files.ts'
import type { Api } from './server.ts'
import { validatorCompiler } from './validation.ts'

declare module 'fastify' {
  interface FastifyInstance {
    receiveFile: ReceiveFile
  }
}

/** The request body that a handler gets instead of JSON. Its file exists until the request is answered. */
export class Upload {
  readonly mediaType: string
  readonly charset: string | null
  readonly #file: ReceivedFile

  constructor(mediaType: string, charset: string | null, file: ReceivedFile) {
    this.mediaType = mediaType
    this.charset = charset
    this.#file = file
  }

  get bytes(): Pieces {
    return this.#file.pieces
  }

  get size(): number {
    return this.#file.size
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Identifies the request (see idempotency.ts) without holding its bytes. */
  toJSON() {
    return { mediaType: this.mediaType, sha256: this.#file.sha256 }
  }
}

export type FileBody = Pick<Upload, 'mediaType' | 'charset' | 'bytes'>

/** Adds routes whose body may be a file of one of these media types. The JSON form, if any, is validated as usual. */
export function withUploads(
  api: Api,
  accepted: readonly string[] | { mediaTypes: readonly string[]; limitBytes: number },
  add: (api: Api) => void,
): void {
  const { mediaTypes, limitBytes } =
    'limitBytes' in accepted ? accepted : { mediaTypes: accepted, limitBytes: UPLOAD_LIMIT }
  api.register(async (child) => {
    for (const mediaType of mediaTypes)
      child.addContentTypeParser(mediaType, async (req: FastifyRequest, payload: IncomingMessage) => {
        const encoding = req.headers['content-encoding']
        if (encoding && encoding !== 'identity') throw appError('body_compressed')
        const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(req.headers['content-type'] ?? '')?.[1] ?? null
        const upload = new Upload(mediaType, charset, await api.receiveFile(req, payload))
        if (upload.size > 0) return upload
        await upload.close()
        throw appError('body_missing')
      })
    child.addHook('onSend', async (req) => {
      if (req.body instanceof Upload) await req.body.close()
    })
    child.addHook('onRoute', (route) => {
      if (route.method !== 'GET' && route.method !== 'DELETE')
        route.config = { ...route.config, uploads: mediaTypes, uploadLimit: limitBytes }
    })
    child.setValidatorCompiler((part) => {
      const check = validatorCompiler(part)
      if (part.httpPart !== 'body') return check
      // Fastify reads `errors` from the function it called.
      const either = Object.assign(
        (value: unknown) => {
          if (value instanceof Upload) return true
          const isValid = check(value)
          either.errors = check.errors
          return isValid
        },
        { errors: check.errors },
      )
      return either
    })
    add(child as Api)
  })
}
