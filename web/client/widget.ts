// The widget's entry point, included by <script src="https://voice.example.com/widget.js" data-widget="wgt_…"
// async></script>. See docs/widget.md.
import { fetchConfig, widgetServer } from './widget/server.ts'
import { showWidget, type WidgetEvent, type WidgetView } from './widget/widget-view.ts'

type RamalApi = {
  /** Without an id, opens the first widget on the page. */
  open(id?: string): void
  close(id?: string): void
  call(id?: string): Promise<void>
  hangUp(id?: string): void
  readonly isRamalWidget: true
}
const shared = window as unknown as { ramal?: RamalApi; ramalWidgets?: Map<string, WidgetView> }

/** All widgets on the page, shared by every copy of the script. */
shared.ramalWidgets ??= new Map()
const widgets = shared.ramalWidgets
const find = (id?: string): WidgetView | undefined =>
  id === undefined ? widgets.values().next().value : widgets.get(id)

shared.ramal ??= {
  open: (id) => find(id)?.open(),
  close: (id) => find(id)?.close(),
  call: async (id) => find(id)?.call(),
  hangUp: (id) => find(id)?.hangUp(),
  isRamalWidget: true,
}

/** Same limit as in the settings. */
const MAX_BUTTON_TEXT = 30

const script = document.currentScript as HTMLScriptElement | null
const { widget: id, transport, buttonText } = script?.dataset ?? {}

async function start(server: string, widgetId: string): Promise<void> {
  const tell = ({ type, ...detail }: WidgetEvent | { type: 'ready' }) =>
    void window.dispatchEvent(new CustomEvent(`ramal:${type}`, { detail: { widgetId, ...detail } }))
  try {
    const settings = await fetchConfig(`${server}/widget/${widgetId}`)
    const config = { ...settings, buttonText: buttonText?.slice(0, MAX_BUTTON_TEXT) ?? settings.buttonText }
    if (document.readyState === 'loading')
      await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
    if (widgets.has(widgetId)) return
    widgets.set(
      widgetId,
      showWidget({ id: widgetId, config, server: widgetServer(server, widgetId, transport), onEvent: tell }),
    )
    tell({ type: 'ready' })
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: the site's developer looks here
    console.warn(
      `Ramal: the widget ${widgetId} cannot be shown. Check its id, and that ${location.origin} is one of its allowed origins.`,
      error,
    )
  }
}

if (script && id) void start(new URL(script.src).origin, id)
// biome-ignore lint/suspicious/noConsole: the site's developer looks here
else console.warn('Ramal: the script element needs data-widget="wgt_…"')
