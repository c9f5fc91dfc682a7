// GET /docs and its files. The page is rendered once from the OpenAPI document and needs no other hosts.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Frame, serve } from '../docs-layout/frame.ts'
import { pageFile, sendFile } from '../page-files.ts'
import { framedHeaders } from '../page-policy.ts'
import type { OpenApiDocument, Variants } from './document.ts'
import { referencePage } from './page.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Body fields whose shape depends on another field; shown in the API reference. */
    variants?: Readonly<Record<string, Variants>>
  }
}

/** Call it before the routes are added, because it collects their variants. */
export function addReference(app: FastifyInstance, frame: Frame, isTls: boolean): void {
  const variants = new Map<string, Readonly<Record<string, Variants>>>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.variants) variants.set(`${[method].flat()[0]} ${url}`, config.variants)
  })
  const variantsOf = (method: string, path: string) =>
    variants.get(`${method} ${path.replaceAll(/\{([^{}]{1,64})\}/g, ':$1')}`) ?? {}

  let page: ReturnType<typeof pageFile> | undefined
  app.get('/docs', { schema: { hide: true } }, (req, reply) => {
    const content = () => frame.render(referencePage(app.swagger() as OpenApiDocument, variantsOf))
    page ??= pageFile('/docs.html', Buffer.from(content()))
    return sendFile(page, req, reply.headers(framedHeaders(isTls, req.host)))
  })
  for (const name of ['reference.css', 'reference.js'])
    serve(app, pageFile(`/docs/${name}`, readFileSync(join(import.meta.dirname, name))))
}
