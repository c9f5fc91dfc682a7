// Shortcuts to the most common tasks.
import { Kbd, Text } from '@mantine/core'
import { IconBook, IconHeadset, IconPhonePlus, IconTimelineEvent } from '@tabler/icons-react'
import { Link } from 'wouter'
import { guidesHref } from '../../components/page-guides.ts'
import { Section } from '../../components/section.tsx'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { useMayOpen } from '../../organization.ts'
import { figuresTexts } from './figures-texts.ts'
import classes from './home.module.css'

const places = [
  { to: '/agents', name: 'talk', Icon: IconHeadset },
  { to: '/live?place', name: 'placeCall', Icon: IconPhonePlus },
  { to: '/calls?status=failed', name: 'failedCalls', Icon: IconTimelineEvent },
] as const

export function Shortcuts() {
  const t = useTexts(figuresTexts)
  const { language } = useLanguage()
  const mayOpen = useMayOpen()
  return (
    <Section title={t.shortcuts}>
      <ul className={classes.shortcuts}>
        {places
          .filter(({ to }) => mayOpen(to))
          .map(({ to, name, Icon }) => (
            <li key={to}>
              <Link href={to} className={classes.shortcut}>
                <Icon size={18} stroke={1.7} aria-hidden />
                {t[name]}
              </Link>
            </li>
          ))}
        <li>
          <a href={guidesHref(language)} target="_blank" rel="noopener" className={classes.shortcut}>
            <IconBook size={18} stroke={1.7} aria-hidden />
            {t.guides}
          </a>
        </li>
      </ul>
      <Text size="xs" c="dimmed" visibleFrom="sm">
        {t.paletteHint} <Kbd size="xs">Ctrl</Kbd> <Kbd size="xs">K</Kbd>
      </Text>
    </Section>
  )
}
