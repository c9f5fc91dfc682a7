// Edits a rule pack's calling windows: the general ones and those of individual regions.
import { Button, Fieldset, Group, Select, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { countries } from '../../components/phone-countries.ts'
import { useLanguage, useTexts } from '../../i18n/language-provider.tsx'
import { officeHours, WindowsInput } from '../campaigns/windows-input.tsx'
import { freeId, ownSource, type PackPart, type WindowRule } from './pack.ts'
import { regionChoices, regionName, regionNames } from './regions.ts'
import { rulesTexts } from './rules-texts.ts'

const countryCodes: readonly string[] = countries.map(({ id }) => id)

export function WindowRules({ pack, set }: PackPart) {
  const t = useTexts(rulesTexts)
  const { locale } = useLanguage()
  const own = ownSource(t.ownSource)
  const used = pack.windows.flatMap(({ regions }) => regions ?? [])
  const choices = regionChoices(pack.countries, countryCodes)
    .filter((code) => !used.includes(code))
    .map((code) => ({ value: code, label: regionName(code, locale) }))
    .sort((a, b) => a.label.localeCompare(b.label, locale))
  const nameOf = ({ regions }: WindowRule) => (regions ? regionNames(regions, locale) : t.everywhere)
  /** A pack needs a rule for each of its countries, or one for all of them. */
  const isNeeded = ({ regions }: WindowRule) =>
    regions === null || regions.some((code) => pack.countries?.includes(code) ?? false)
  const add = (code: string | null) => {
    if (!code) return
    const rule = { id: freeId(pack, 'own-hours'), regions: [code], windows: [officeHours] }
    set({ windows: [...pack.windows, { ...rule, ...own }] })
  }
  return (
    <>
      {pack.windows.map((rule, i) => (
        <Fieldset key={rule.id} legend={t.ruleWindows(nameOf(rule))}>
          <Stack gap="sm">
            <WindowsInput
              windows={rule.windows}
              onChange={(windows) =>
                set({ windows: pack.windows.map((one, at) => (at === i ? { ...one, windows, ...own } : one)) })
              }
            />
            {!isNeeded(rule) && (
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                w="fit-content"
                leftSection={<IconTrash size={14} aria-hidden />}
                onClick={() => set({ windows: pack.windows.filter((_, at) => at !== i) })}
              >
                {t.removeRegion(nameOf(rule))}
              </Button>
            )}
          </Stack>
        </Fieldset>
      ))}
      <Group>
        <Select
          label={t.addRegion}
          description={t.regionHint}
          placeholder={t.region}
          leftSection={<IconPlus size={14} aria-hidden />}
          searchable
          maw={420}
          flex="1 1 260px"
          data={choices}
          value={null}
          onChange={add}
        />
      </Group>
    </>
  )
}
