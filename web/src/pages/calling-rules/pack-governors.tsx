// Edits a rule pack's monthly volume, short calls and AI disclosure.
import { Fieldset, NumberInput, Stack, Switch } from '@mantine/core'
import { FormGrid } from '../../components/form-grid.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { freeId, ownSource, type PackPart, type RulePack, sharesAreOrdered } from './pack.ts'
import { rulesTexts } from './rules-texts.ts'

const whole = { min: 1, allowDecimal: false, clampBehavior: 'strict' } as const

export function Monthly({ pack, set }: PackPart) {
  const t = useTexts(rulesTexts)
  const own = ownSource(t.ownSource)
  const { monthly } = pack
  const change = (part: Partial<NonNullable<RulePack['monthly']>>) =>
    monthly && set({ monthly: { ...monthly, ...part, ...own } })
  const toggle = (isOn: boolean) =>
    set({
      monthly: isOn
        ? { id: freeId(pack, 'monthly'), threshold: 100_000, warnAt: [0.7, 0.9], stops: false, ...own }
        : null,
    })
  return (
    <Fieldset legend={t.monthly}>
      <Stack gap="sm">
        <Switch
          label={t.limitMonthly}
          checked={monthly !== null}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
        {monthly && (
          <>
            <NumberInput
              {...whole}
              label={t.monthlyThreshold}
              maw={320}
              max={100_000_000}
              value={monthly.threshold}
              onChange={(value) => change({ threshold: Math.max(1, Number(value)) })}
            />
            <Switch
              label={t.stopAtThreshold}
              checked={monthly.stops}
              onChange={(event) => change({ stops: event.currentTarget.checked })}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  )
}

const percentOf = (share: number) => Math.round(share * 100)
const shareOf = (percent: number | string) => Math.max(1, Number(percent)) / 100

export function ShortCalls({ pack, set }: PackPart) {
  const t = useTexts(rulesTexts)
  const own = ownSource(t.ownSource)
  const { shortCalls } = pack
  const change = (part: Partial<NonNullable<RulePack['shortCalls']>>) =>
    shortCalls && set({ shortCalls: { ...shortCalls, ...part, ...own } })
  const toggle = (isOn: boolean) => {
    const usual = { seconds: 6, slowAt: 0.7, pauseAt: 0.8, minAttempts: 50, unansweredFrom: null }
    set({ shortCalls: isOn ? { id: freeId(pack, 'short-calls'), ...usual, ...own } : null })
  }
  return (
    <Fieldset legend={t.shortCalls}>
      <Stack gap="sm">
        <Switch
          label={t.watchShortCalls}
          checked={shortCalls !== null}
          onChange={(event) => toggle(event.currentTarget.checked)}
        />
        {shortCalls && (
          <FormGrid>
            <NumberInput
              {...whole}
              label={t.shortSeconds}
              max={60}
              value={shortCalls.seconds}
              onChange={(value) => change({ seconds: Math.max(1, Number(value)) })}
            />
            <NumberInput
              {...whole}
              label={t.minAttempts}
              min={10}
              clampBehavior="blur" // while typing, a number may be temporarily too small
              max={1_000_000}
              value={shortCalls.minAttempts}
              onChange={(value) => change({ minAttempts: Number(value) })}
            />
            <NumberInput
              {...whole}
              label={t.slowAt}
              max={100}
              value={percentOf(shortCalls.slowAt)}
              onChange={(value) => change({ slowAt: shareOf(value) })}
            />
            <NumberInput
              {...whole}
              label={t.pauseAt}
              max={100}
              value={percentOf(shortCalls.pauseAt)}
              error={sharesAreOrdered(pack) ? undefined : t.pauseWrong}
              onChange={(value) => change({ pauseAt: shareOf(value) })}
            />
          </FormGrid>
        )}
      </Stack>
    </Fieldset>
  )
}

export function Disclosure({ pack, set }: PackPart) {
  const t = useTexts(rulesTexts)
  const { disclosure } = pack
  return (
    <Fieldset legend={t.disclosure}>
      <Switch
        label={t.requireDisclosure}
        checked={disclosure.isRequired}
        onChange={(event) =>
          set({
            disclosure: { ...disclosure, isRequired: event.currentTarget.checked, ...ownSource(t.ownSource) },
          })
        }
      />
    </Fieldset>
  )
}
