// GET /guides: the documents of this installation, so that help needs no other host. Visible without signing in, as /docs is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../base/errors.ts'
import { ERROR_CODE, errorCodeHeader } from '../error-code-header.ts'
import { type Frame, serve } from '../frame/frame.ts'
import { type PageFile, pageFile, sendFile } from '../page-files.ts'
import { framedHeaders } from '../page-policy.ts'
import { openLibrary } from './library.ts'
import { guidePage, guidesPage, missingPage } from './page.ts'

/** The page for people carries the same code as the error for programs. */
const missingGuide = { code: 'not_found', params: { what: 'guide' } } as const

const docs = join(import.meta.dirname, '../../../docs')

export type GuideParts = { frame: Frame; isTls: boolean; folder?: string | undefined }

export function addGuides(app: FastifyInstance, { frame, isTls, folder = docs }: GuideParts): void {
  const library = openLibrary(folder)
  const pages = new Map<string, PageFile>()
  const hidden = { schema: { hide: true } }
  const page = (name: string, render: () => string) => {
    const known = pages.get(name) ?? pageFile('/guides.html', Buffer.from(render()))
    pages.set(name, known)
    return known
  }
  const sendPage = (file: PageFile, req: FastifyRequest, reply: FastifyReply) =>
    sendFile(file, req, reply.headers(framedHeaders(isTls, req.host)))

  const list = library.groups.flatMap(({ guides }) => guides.map(({ name, title }) => ({ name, title })))
  for (const name of ['guides.css', 'guides.js'])
    serve(app, pageFile(`/docs/${name}`, readFileSync(join(import.meta.dirname, name))))
  serve(app, pageFile('/guides/list.json', Buffer.from(JSON.stringify(list))))

  app.get('/guides', hidden, (req, reply) =>
    sendPage(
      page('', () => frame.render(guidesPage(library))),
      req,
      reply,
    ),
  )
  app.get<{ Params: { name: string } }>('/guides/:name', hidden, (req, reply) => {
    const guide = library.find(req.params.name)
    if (guide)
      return sendPage(
        page(guide.name, () => frame.render(guidePage(guide, library))),
        req,
        reply,
      )
    const file = library.file(req.params.name)
    if (file) return sendFile(file, req, reply)
    return missing(req, reply)
  })
  app.get<{ Params: { folder: string; name: string } }>('/guides/:folder/:name', hidden, (req, reply) => {
    const file = library.file(`${req.params.folder}/${req.params.name}`)
    return file ? sendFile(file, req, reply) : missing(req, reply)
  })

  function missing(req: FastifyRequest, reply: FastifyReply) {
    if (!/\btext\/html\b/i.test(req.headers.accept ?? '')) throw notFound('Guide')
    return sendPage(
      page(' missing', () => frame.render(missingPage(library))),
      req,
      reply.code(404).header(ERROR_CODE, errorCodeHeader([missingGuide])),
    )
  }
}
