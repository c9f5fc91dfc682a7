// GET /guides: this installation's documents, so that help needs no other host. Shown in the reader's language if
// translated. Visible without signing in, like /docs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../base/errors/errors.ts'
import { type Frame, type FramedPage, serve } from '../docs-layout/frame.ts'
import { ERROR_CODE, errorCodeHeader } from '../error-code-header.ts'
import { type PageFile, pageFile, sendFile } from '../page-files.ts'
import { framedHeaders } from '../page-policy.ts'
import { guideLanguages, preferredLanguage } from './language.ts'
import { type Library, openShelf } from './library.ts'
import { guidePage, guidesPage, missingPage } from './page.ts'

/** The page for people carries the same code as the error for API clients. */
const missingGuide = { code: 'not_found', params: { what: 'guide' } } as const

const docs = join(import.meta.dirname, '../../../docs')

export type GuideParts = { frame: Frame; isTls: boolean; folder?: string | undefined }

export function addGuides(app: FastifyInstance, { frame, isTls, folder = docs }: GuideParts): void {
  const shelf = openShelf(folder)
  const pages = new Map<string, PageFile>()
  const hidden = { schema: { hide: true } }
  for (const name of ['guides.css', 'guides.js'])
    serve(app, pageFile(`/docs/${name}`, readFileSync(join(import.meta.dirname, name))))

  /** The browser's language below /guides; a fixed language below /guides/pt and /guides/en. */
  addLibrary(shelf.library('en', '/guides'), true)
  for (const language of guideLanguages) addLibrary(shelf.library(language, `/guides/${language}`), false)

  app.get<{ Params: { folder: string; name: string } }>('/guides/:folder/:name', hidden, (req, reply) => {
    const file = shelf.file(`${req.params.folder}/${req.params.name}`)
    return file ? sendFile(file, req, reply) : missing(shelf.library('en', '/guides'), req, reply)
  })

  function addLibrary(library: Library, isChosenByReader: boolean): void {
    const { root } = library
    const varying = isChosenByReader ? 'accept-language' : ''
    const page = (name: string, view: () => FramedPage) => {
      const key = `${root}/${name}`
      const known = pages.get(key) ?? pageFile('/guides.html', Buffer.from(frame.render(view())))
      pages.set(key, known)
      return known
    }
    const sendPage = (file: PageFile, req: FastifyRequest, reply: FastifyReply) =>
      sendFile(file, req, reply.headers(framedHeaders(isTls, req.host)), varying)
    const elsewhere = (req: FastifyRequest) => {
      const language = preferredLanguage(req.headers['accept-language'])
      return isChosenByReader && language !== library.language ? `/guides/${language}` : null
    }

    const list = library.groups.flatMap(({ guides }) => guides.map(({ name, title }) => ({ name, title })))
    serve(app, pageFile(`${root}/list.json`, Buffer.from(JSON.stringify(list))))
    app.get(root, hidden, (req, reply) => {
      const other = elsewhere(req)
      if (other) return reply.header('vary', varying).redirect(other)
      return sendPage(
        page('', () => guidesPage(library)),
        req,
        reply,
      )
    })
    app.get<{ Params: { name: string } }>(`${root}/:name`, hidden, (req, reply) => {
      const guide = library.find(req.params.name)
      const file = guide ? undefined : shelf.file(req.params.name)
      if (file) return sendFile(file, req, reply)
      if (!guide) return missing(library, req, reply)
      const other = elsewhere(req)
      if (other) return reply.header('vary', varying).redirect(`${other}/${guide.name}`)
      return sendPage(
        page(guide.name, () => guidePage(guide, library)),
        req,
        reply,
      )
    })
  }

  function missing(library: Library, req: FastifyRequest, reply: FastifyReply) {
    if (!/\btext\/html\b/i.test(req.headers.accept ?? '')) throw notFound('Guide')
    const file = pageFile('/guides.html', Buffer.from(frame.render(missingPage(library))))
    return sendFile(
      file,
      req,
      reply
        .headers(framedHeaders(isTls, req.host))
        .code(404)
        .header(ERROR_CODE, errorCodeHeader([missingGuide])),
    )
  }
}
