// A link to a guide, which the server hosts. Opens in a new tab, so that unsaved input is not lost.
import { Anchor } from '@mantine/core'
import { IconHelpCircle } from '@tabler/icons-react'
import { useLanguage, useTexts } from '../i18n/language-provider.tsx'
import { texts } from '../i18n/texts.ts'
import { type GuideLink, guideHref, isTranslated } from './page-guides.ts'

const helpTexts = texts(
  { guide: 'Guia', inEnglish: 'Guia (em inglês)', opens: 'Abre em outra aba' },
  { guide: 'Guide', inEnglish: 'Guide', opens: 'Opens in a new tab' },
  { guide: 'Guía', inEnglish: 'Guía (en inglés)', opens: 'Se abre en otra pestaña' },
)

export function HelpLink({ guide, anchor, text }: GuideLink & { text?: string }) {
  const t = useTexts(helpTexts)
  const { language } = useLanguage()
  return (
    <Anchor
      href={guideHref({ guide, ...(anchor ? { anchor } : {}) }, language)}
      target="_blank"
      rel="noopener"
      size="sm"
      c="dimmed"
      title={t.opens}
      style={{ display: 'inline-flex', alignItems: 'center', gap: 4, whiteSpace: 'nowrap' }}
    >
      <IconHelpCircle size={16} stroke={1.7} aria-hidden />
      {text ?? (isTranslated(guide, language) ? t.guide : t.inEnglish)}
    </Anchor>
  )
}
