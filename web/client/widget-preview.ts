// The widget in the dashboard's preview: the real widget with unsaved settings and mock responses.
import type { WebCallOptions } from './web-call.ts'
import type { WidgetConfig } from './widget/config.ts'
import type { WidgetServer } from './widget/server.ts'
import { showWidget, type WidgetView } from './widget/widget-view.ts'

type Sample = { question: string; answer: string; spoken: string }
/** Message from the dashboard. */
type Order = { config: WidgetConfig; sample: Sample; view: 'closed' | 'chat' | 'call'; language: string }

const WORD_MS = 60
const LEVEL_MS = 120

let widget: WidgetView | undefined

function sampleServer({ answer, question, spoken }: Sample): WidgetServer {
  return {
    forgetChat() {},
    history: async () => [],
    async say(_text, onText) {
      const words = answer.split(' ')
      for (let count = 1; count <= words.length; count++) {
        await new Promise((resolve) => setTimeout(resolve, WORD_MS))
        onText(words.slice(0, count).join(' '))
      }
    },
    async call({ onEvent, onLevel }: Pick<WebCallOptions, 'onEvent' | 'onLevel'>) {
      const say = (who: 'agent' | 'caller', text: string) => onEvent?.({ type: 'said', who, text, at: '' })
      const timer = setInterval(() => onLevel?.({ caller: Math.random() * 0.7, agent: 0 }), LEVEL_MS)
      setTimeout(() => {
        say('agent', spoken)
        say('caller', question)
        say('agent', answer)
      })
      return {
        mute() {},
        digit() {},
        stop() {
          clearInterval(timer)
          onEvent?.({ type: 'ended', endReason: 'caller_hangup' })
        },
      }
    },
  }
}

function show({ config, sample, view, language }: Order): void {
  widget?.remove()
  document.documentElement.lang = language // as on a website in the dashboard's language
  widget = showWidget({ id: 'preview', config, server: sampleServer(sample), onEvent: () => {} })
  const dark =
    config.theme === 'dark' || (config.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
  const offered = config.channels.includes(view as 'call') ? (view as 'call' | 'chat') : config.channels[0]
  if (view === 'closed' || !offered) return
  widget.open(offered, false)
}

const site = new CSSStyleSheet()
site.replaceSync(`
  body { margin: 0; background: #fff; }
  html.dark body { background: #121514; }
  main { padding: 28px; display: grid; gap: 16px; }
  i { display: block; border-radius: 8px; background: #e9eeec; height: 14px; }
  html.dark i { background: #262c2a; }
  i:nth-child(1) { height: 34px; width: 40%; }
  i:nth-child(2) { height: 160px; }
  i:nth-child(4) { width: 86%; } i:nth-child(6) { width: 70%; }
`)
document.adoptedStyleSheets = [site]

window.addEventListener('message', ({ source, data }) => {
  if (source === window.parent && data?.config) show(data as Order)
})
window.parent.postMessage('ramal-preview-ready', '*') // target '*' is safe: the message carries no data
