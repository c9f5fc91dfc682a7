// Every rule of a pack as text, with its source and date.
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { setupTexts } from '../campaigns/setup-texts.ts'
import { windowText } from '../campaigns/window-words.ts'
import { dayText, type RulePack, type Sourced } from './pack.ts'
import { regionNames } from './regions.ts'
import { rulesTexts } from './rules-texts.ts'

type Rule = { key: string; name: string; text: ReactNode; of: Sourced }

function useRules(pack: RulePack): Rule[] {
  const t = useTexts(rulesTexts)
  const u = useTexts(setupTexts)
  const { locale } = useLanguage()
  const figure = (n: number) => n.toLocaleString(locale)
  const percent = (n: number) => n.toLocaleString(locale, { style: 'percent' })
  const { windows, holidays, frequency, spacing, monthly, shortCalls, disclosure } = pack
  const rules: Rule[] = windows.map((rule) => ({
    key: rule.id,
    name: t.windows,
    text: `${rule.regions ? regionNames(rule.regions, locale) : t.everywhere}: ${rule.windows.map((one) => windowText(one, u)).join('; ')}`,
    of: rule,
  }))
  for (const rule of frequency)
    rules.push({
      key: rule.id,
      name: t.frequency,
      text: t.frequencyText(figure(rule.max), t.hoursText(rule.hours)),
      of: rule,
    })
  if (spacing)
    rules.push({ key: spacing.id, name: t.spacing, text: t.spacingText(figure(spacing.minutes)), of: spacing })
  if (holidays) {
    const dates =
      holidays.dates.length > 0
        ? `. ${t.ownDates}: ${holidays.dates.map((day) => dayText(day, locale)).join('; ')}`
        : ''
    const kinds = new Intl.ListFormat(locale).format(holidays.kinds.map((kind) => t.holidayKinds[kind]))
    rules.push({ key: holidays.id, name: t.holidays, text: t.holidaysText(kinds) + dates, of: holidays })
  }
  if (monthly)
    rules.push({
      key: monthly.id,
      name: t.monthly,
      text: t.monthlyText(figure(monthly.threshold)) + (monthly.stops ? `. ${t.monthlyStops}` : ''),
      of: monthly,
    })
  if (shortCalls)
    rules.push({
      key: shortCalls.id,
      name: t.shortCalls,
      text: t.shortCallsText(figure(shortCalls.seconds), percent(shortCalls.slowAt), percent(shortCalls.pauseAt)),
      of: shortCalls,
    })
  rules.push({
    key: disclosure.id,
    name: t.disclosure,
    text: disclosure.isRequired ? t.disclosureRequired : t.disclosureFree,
    of: disclosure,
  })
  return rules
}

/**
 * The most important rules in one line: "Mon to Fri, 09:00 to 18:00 · 2 attempts within 24 hours · no calls on
 * holidays".
 */
export function PackSummary({ pack }: { pack: RulePack }) {
  const t = useTexts(rulesTexts)
  const u = useTexts(setupTexts)
  const { locale } = useLanguage()
  const [general, ...regional] = pack.windows
  const [limit] = pack.frequency
  const parts = [
    general?.windows.map((one) => windowText(one, u)).join('; '),
    regional.length > 0 && t.regional(regional.length),
    limit && t.limitShort(limit.max.toLocaleString(locale), limit.max === 1, t.hoursText(limit.hours)),
    pack.holidays && t.holidaysShort,
  ]
  return <Text size="sm">{parts.filter(Boolean).join(' · ')}</Text>
}

export function PackRules({ pack, withSources = true }: { pack: RulePack; withSources?: boolean }) {
  const t = useTexts(rulesTexts)
  const { locale } = useLanguage()
  const rules = useRules(pack)
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {rules.map(({ key, name, text, of }) => (
        <li key={key}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <b>{name}.</b> {text}
          </Text>
          {withSources && (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {of.source === t.ownSource
                ? `${of.source} · ${dayText(of.date, locale)}`
                : `${t.source}: ${of.source} · ${t.consulted(dayText(of.date, locale))}`}
            </Text>
          )}
        </li>
      ))}
    </Stack>
  )
}
