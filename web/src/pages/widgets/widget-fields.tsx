// The settings of a widget: agent and websites, appearance, limits.
import { Checkbox, ColorInput, Group, NumberInput, Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { AgentSelect } from '../../components/agent-select.tsx'
import { FormGrid } from '../../components/form-grid.tsx'
import { Section } from '../../components/section.tsx'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { LogoField } from './logo-field.tsx'
import { originOf, originsOf, type WidgetForm, type WidgetProblem } from './widget-form.ts'
import { widgetsTexts } from './widgets-texts.ts'

export type FieldProps = {
  form: WidgetForm
  set: (part: Partial<WidgetForm>) => void
  problems: readonly WidgetProblem[]
}

export function GeneralFields({ form, set, problems }: FieldProps) {
  const t = useTexts(widgetsTexts)
  const c = useTexts(commonTexts)
  const isWrong = form.origins.some((origin) => originOf(origin) === null)
  return (
    <Section title={t.general}>
      <FormGrid>
        <TextInput
          label={c.name}
          description={t.nameHint}
          required
          maxLength={100}
          value={form.name}
          onChange={(event) => set({ name: event.currentTarget.value })}
          error={problems.includes('name') ? t.nameMissing : undefined}
        />
        <AgentSelect required value={form.agentId} onChange={(agentId) => agentId && set({ agentId })} />
      </FormGrid>
      <TagsInput
        label={t.origins}
        description={form.origins.length === 0 ? t.originsNone : t.originsHint}
        placeholder="https://"
        maxTags={20}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        clearButtonProps={{ 'aria-label': `${c.remove}: ${t.origins}` }}
        value={form.origins}
        onChange={(typed) => set({ origins: originsOf(typed) ?? typed })}
        error={isWrong ? t.originsWrong : undefined}
      />
      <Checkbox.Group
        label={t.channels}
        value={form.channels}
        onChange={(channels) => set({ channels: [...channels].sort() as WidgetForm['channels'] })}
        error={problems.includes('channels') ? t.channelsMissing : undefined}
      >
        <Group mt={6} mb={6}>
          <Checkbox value="call" label={t.call} />
          <Checkbox value="chat" label={t.chat} />
        </Group>
      </Checkbox.Group>
    </Section>
  )
}

export function LookFields({ form, set, problems }: FieldProps) {
  const t = useTexts(widgetsTexts)
  const { appearance } = form
  const change = (part: Partial<WidgetForm['appearance']>) => set({ appearance: { ...appearance, ...part } })
  const choices = <K extends string>(names: Readonly<Record<K, string>>) =>
    (Object.keys(names) as K[]).map((value) => ({ value, label: names[value] }))
  const languages = { auto: t.languageAuto, pt: 'Português', en: 'English', es: 'Español' }
  return (
    <Section title={t.look}>
      <FormGrid>
        <ColorInput
          label={t.color}
          format="hex"
          withEyeDropper={false}
          value={appearance.color}
          onChange={(color) => change({ color: color.toLowerCase() })}
          swatches={['#0b7a5e', '#1c5fd4', '#7a3ec8', '#c2410c', '#b91c5c', '#1f2937']}
          swatchesPerRow={6}
          error={problems.includes('color') ? t.colorWrong : undefined}
        />
        <Select
          label={t.theme}
          allowDeselect={false}
          value={appearance.theme}
          onChange={(theme) => change({ theme: theme as typeof appearance.theme })}
          data={choices(t.themes)}
        />
        <Select
          label={t.position}
          allowDeselect={false}
          value={appearance.position}
          onChange={(position) => change({ position: position as typeof appearance.position })}
          data={choices(t.positions)}
        />
        <Select
          label={t.language}
          allowDeselect={false}
          value={appearance.language}
          onChange={(language) => change({ language: language as typeof appearance.language })}
          data={choices(languages)}
        />
      </FormGrid>
      <Stack gap="md">
        <TextInput
          label={t.heading}
          placeholder={t.headingDefault}
          maxLength={60}
          value={appearance.title ?? ''}
          onChange={(event) => change({ title: event.currentTarget.value || null })}
        />
        <Textarea
          label={t.greeting}
          placeholder={t.greetingDefault}
          maxLength={240}
          autosize
          minRows={2}
          value={appearance.greeting ?? ''}
          onChange={(event) => change({ greeting: event.currentTarget.value || null })}
        />
        <TextInput
          label={t.buttonText}
          description={t.buttonTextHint}
          maxLength={30}
          value={appearance.buttonText ?? ''}
          onChange={(event) => change({ buttonText: event.currentTarget.value || null })}
        />
        <LogoField logo={appearance.logo} setLogo={(logo) => change({ logo })} isWrong={problems.includes('logo')} />
      </Stack>
    </Section>
  )
}

const bounds = {
  callsPerDay: [1, 10_000],
  messagesPerDay: [1, 100_000],
  maxConcurrent: [1, 200],
  sessionsPerMinute: [1, 60],
  maxCallSeconds: [30, 14_400],
} as const

export function LimitFields({ form, set }: FieldProps) {
  const t = useTexts(widgetsTexts)
  return (
    <Section title={t.limits} about={t.limitsAbout}>
      <FormGrid>
        {(Object.keys(bounds) as (keyof typeof bounds)[]).map((name) => (
          <NumberInput
            key={name}
            label={t[name]}
            min={bounds[name][0]}
            max={bounds[name][1]}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
            value={form.limits[name]}
            onChange={(value) => typeof value === 'number' && set({ limits: { ...form.limits, [name]: value } })}
          />
        ))}
      </FormGrid>
    </Section>
  )
}
