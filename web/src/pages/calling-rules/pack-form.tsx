// Edits one of the user's own rule packs. Rules that the user changes are marked as theirs.
import { Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { CallingRules } from '../../../../client/paths.ts'
import { api, unwrap } from '../../api.ts'
import { useGuardedSave } from '../../components/guarded-save.tsx'
import { LeaveGuard } from '../../components/leave-guard.tsx'
import { SaveBar } from '../../components/save-bar.tsx'
import { Section } from '../../components/section.tsx'
import { useAction } from '../../components/use-action.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { isOrdered } from '../campaigns/window-words.ts'
import { packOf, type RulePack, sharesAreOrdered } from './pack.ts'
import { Disclosure, Monthly, ShortCalls } from './pack-governors.tsx'
import { Frequency, Holidays } from './pack-limits.tsx'
import { WindowRules } from './pack-windows.tsx'
import { rulesTexts } from './rules-texts.ts'

export function PackForm({ rules }: { rules: CallingRules }) {
  const t = useTexts(rulesTexts)
  const c = useTexts(commonTexts)
  const [name, setName] = useState(rules.name)
  const [pack, setWhole] = useState<RulePack>(() => packOf(rules))
  const { isPending, run } = useAction()
  const guarded = useGuardedSave({ fields: { name: t.rename, pack: t.title } })
  const set = (part: Partial<RulePack>) => setWhole((before) => ({ ...before, ...part }))
  const isPackDirty = JSON.stringify(pack) !== JSON.stringify(rules.pack)
  const isDirty = isPackDirty || name.trim() !== rules.name
  const isValid =
    name.trim() !== '' &&
    sharesAreOrdered(pack) &&
    pack.windows.every(({ windows }) => windows.every((one) => isOrdered(one) && one.days.length > 0))

  async function save(): Promise<boolean> {
    if (!isValid) return false
    const params = { path: { id: rules.id } }
    const patch = {
      ...(name.trim() === rules.name ? {} : { name: name.trim() }),
      ...(isPackDirty ? { pack } : {}),
    }
    return run(
      () =>
        guarded.save<CallingRules>({
          base: rules,
          patch,
          load: () => unwrap(api.GET('/api/calling-rules/{id}', { params })),
          send: (body, headers) => unwrap(api.PATCH('/api/calling-rules/{id}', { params, headers, body })),
        }),
      { success: c.saved, stale: ['/api/calling-rules'] },
    )
  }
  const discard = () => {
    setName(rules.name)
    setWhole(packOf(rules))
  }
  return (
    <>
      <Section title={t.edit}>
        <Stack gap="lg">
          <TextInput
            label={t.rename}
            required
            maxLength={100}
            maw={420}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={name.trim() === '' ? t.nameNeeded : undefined}
          />
          <WindowRules pack={pack} set={set} />
          <Frequency pack={pack} set={set} />
          <Holidays pack={pack} set={set} />
          <Monthly pack={pack} set={set} />
          <ShortCalls pack={pack} set={set} />
          <Disclosure pack={pack} set={set} />
        </Stack>
      </Section>
      <SaveBar isDirty={isDirty} isSaving={isPending} onSave={() => void save()} onDiscard={discard} />
      <LeaveGuard isDirty={isDirty} onSave={save} onDiscard={discard} />
      {guarded.dialog}
    </>
  )
}
