// The real widget with unsaved settings, in a sandboxed frame that reaches neither this page nor the server.
import { SegmentedControl } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { previewOf, type WidgetForm } from './widget-form.ts'
import { widgetsTexts } from './widgets-texts.ts'

type View = 'closed' | 'chat' | 'call'

export function WidgetPreview({ form }: { form: WidgetForm }) {
  const t = useTexts(widgetsTexts)
  const { language } = useLanguage()
  const frame = useRef<HTMLIFrameElement>(null)
  const [view, setView] = useState<View>('chat')
  const [isReady, setReady] = useState(false)
  const sample = { question: t.sampleQuestion, answer: t.sampleAnswer, spoken: t.sampleSpoken }
  const order = JSON.stringify({ config: previewOf(form), sample, view, language })

  useEffect(() => {
    const ready = ({ source, data }: MessageEvent) => {
      if (source === frame.current?.contentWindow && data === 'ramal-preview-ready') setReady(true)
    }
    addEventListener('message', ready)
    return () => removeEventListener('message', ready)
  }, [])

  useEffect(() => {
    // The frame's origin is opaque, so it cannot be named as the target; the settings are not secret.
    if (isReady) frame.current?.contentWindow?.postMessage(JSON.parse(order), '*')
  }, [isReady, order])

  const views: View[] = ['closed', ...(['chat', 'call'] as const).filter((one) => form.channels.includes(one))]
  return (
    <Section title={t.preview} about={t.previewAbout}>
      <SegmentedControl
        fullWidth
        aria-label={t.preview}
        value={views.includes(view) ? view : 'closed'}
        onChange={(chosen) => setView(chosen as View)}
        data={views.map((value) => ({ value, label: t.views[value] }))}
      />
      <iframe
        ref={frame}
        title={t.preview}
        src="/widget-preview"
        sandbox="allow-scripts"
        style={{ width: '100%', height: 620, border: '1px solid var(--mantine-color-default-border)', borderRadius: 8 }}
      />
    </Section>
  )
}
