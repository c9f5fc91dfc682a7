// A website with nothing but a widget, on its own origin, under the strictest content security policy that the guide
// allows.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from '../app.ts'

export type WidgetSite = { origin: string; url: string }

/** Starts listening before the widget exists, because the widget must name this origin; `show` sets the page. */
export async function openWidgetSite(server: string) {
  const policy = [
    "default-src 'none'",
    `script-src ${server}`,
    `connect-src ${server} ${server.replace('http', 'ws')}`,
    "require-trusted-types-for 'script'",
    "base-uri 'none'",
  ].join('; ')
  const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }
  let body = ''
  const site = createServer((req, res) => {
    if (req.url === '/') res.writeHead(200, headers).end(body)
    else res.writeHead(204).end()
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  atEnd(() => site.close())
  const origin = `http://localhost:${(site.address() as AddressInfo).port}`
  return {
    origin,
    url: `${origin}/`,
    show(widgetId: string, { lang = 'pt-BR', attributes = '' } = {}): void {
      const script = `<script src="${server}/widget.js" data-widget="${widgetId}" ${attributes} async></script>`
      body = `<!doctype html><html lang="${lang}"><head><meta name="viewport" content="width=device-width,initial-scale=1"><title>Loja</title>${script}</head>
<body><main><h1>Loja de flores</h1><p>Rosas, orquídeas e girassóis, entregues no mesmo dia.</p><p><a href="/" id="link">Ver o catálogo</a></p></main></body></html>`
    },
  }
}
