// The frame of the server-rendered pages (API reference and guides): header, look and theme of the dashboard.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Page } from '../page.ts'
import { type PageFile, pageFile, sendFile } from '../page-files.ts'
import { type Html, html } from './html.ts'

export type PageLanguage = 'en' | 'pt'
export type FramedPage = {
  title: string
  language: PageLanguage
  /** Where the guides in that language start. */
  guides: string
  /** Which header entry is the current one. */
  place: 'reference' | 'guides'
  /** In addition to the frame's own styles. */
  styles: string
  script: string
  /** Shown in the header, such as a search field. */
  tools: Html
  side: Html
  main: Html
}

export type Frame = {
  addFiles(app: FastifyInstance): void
  render(page: FramedPage): string
}

const words = {
  en: {
    tag: 'en',
    skip: 'Skip to content',
    open: 'Open the dashboard',
    pages: 'Pages',
    dashboard: 'Dashboard',
    guides: 'Guides',
    reference: 'API reference',
  },
  pt: {
    tag: 'pt-BR',
    skip: 'Ir para o conteúdo',
    open: 'Abrir o painel',
    pages: 'Páginas',
    dashboard: 'Painel',
    guides: 'Guias',
    reference: 'Referência da API',
  },
} as const satisfies Record<PageLanguage, object>

/** Uses the typeface and icon of the built dashboard; without it, the system typeface. */
export function openFrame(page: Pick<Page, 'find'> | null): Frame {
  const typeface = page?.find(/^\/assets\/inter-[\w-]+\.woff2$/) ?? null
  const icon = page?.find(/^\/favicon\.svg$/) ?? null
  return {
    addFiles(app) {
      serve(app, pageFile('/docs/frame.css', Buffer.from(fontFace(typeface) + read('frame.css'))))
      serve(app, pageFile('/docs/theme.js', Buffer.from(read('theme.js'))))
    },
    render({ title, language, guides, place, styles, script, tools, side, main }) {
      const t = words[language]
      const places = [
        { name: 'guides', href: guides, text: t.guides },
        { name: 'reference', href: '/docs', text: t.reference },
      ] as const
      return html`<!doctype html>
<html lang="${t.tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title} · Ramal</title>${icon && html`<link rel="icon" type="image/svg+xml" href="${icon}">`}
<link rel="stylesheet" href="/docs/frame.css"><link rel="stylesheet" href="${styles}">
<script src="/docs/theme.js"></script><script type="module" src="${script}"></script></head>
<body><a class="skip" href="#main">${t.skip}</a>
<header class="top"><a class="logo" href="/" title="${t.open}">${logo}<b>Ramal</b></a>
<nav class="places" aria-label="${t.pages}">${places.map(
        ({ name, href, text }) => html`<a href="${href}"${name === place && html` aria-current="page"`}>${text}</a>`,
      )}<a href="/">${t.dashboard}</a></nav>
<div class="tools">${tools}<button type="button" id="theme" class="icon" hidden>${themeIcons}</button></div></header>
<div class="columns-of-page"><div class="side">${side}</div><main id="main" tabindex="-1">${main}</main></div></body></html>
`.html
    },
  }
}

export const serve = (app: FastifyInstance, file: PageFile): void => {
  app.get(file.path, { schema: { hide: true } }, (req, reply) => sendFile(file, req, reply))
}

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')

const fontFace = (path: string | null) =>
  path === null
    ? ''
    : `@font-face{font-family:"Inter Variable";font-display:swap;font-weight:400 700;src:url("${path}") format("woff2")}\n`

const logo = html`<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b7a68"/><path d="M8 19v-6M13 23V9M18 20v-8M23 17.5v-3" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`

const themeIcons = html`<svg class="moon" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/></svg><svg class="sun" width="20" height="20" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><circle cx="12" cy="12" r="4"/><path d="M12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1"/></svg>`
