// A tool's authentication. A stored secret appears as an empty field, and is kept until the user types something.
import { Alert, PasswordInput, Select, Stack, Textarea, TextInput } from '@mantine/core'
import { FormGrid } from '../../components/form-grid.tsx'
import { Section } from '../../components/section.tsx'
import { useTexts } from '../../i18n/language-provider.tsx'
import { MASK, type ToolDraft } from './tool-form.ts'
import { toolFormTexts } from './tool-form-texts.ts'
import type { ToolFormProps } from './tool-request.tsx'
import { type AuthField, type AuthKind, authFields, partsOf } from './tool-types.ts'

export function ToolAuthorization({ type, draft, set, problems }: ToolFormProps) {
  const t = useTexts(toolFormTexts)
  const { authorizations } = partsOf[type]
  const { type: kind } = draft.authorization
  if (authorizations.length === 0) return null
  // A local spreadsheet needs no authentication.
  if (type === 'spreadsheet' && draft.config.provider !== 'google') return null
  const isKnown = Object.hasOwn(authFields, kind)
  const offered =
    isKnown && !authorizations.includes(kind as AuthKind) ? [...authorizations, kind as AuthKind] : authorizations
  return (
    <Section title={t.auth} about={t.authAbout}>
      <Stack>
        <Select
          label={t.authType}
          allowDeselect={false}
          maw={360}
          value={isKnown ? kind : null}
          onChange={(chosen) => chosen && chosen !== kind && set({ authorization: { type: chosen, fields: {} } })}
          data={offered.map((value) => ({ value, label: t.authKinds[value] }))}
        />
        {isKnown ? (
          <FormGrid>
            {authFields[kind as AuthKind].map((field) => (
              <AuthInput
                key={`${kind}.${field.name}`}
                field={field}
                draft={draft}
                set={set}
                error={problems.includes(`auth.${field.name}`) ? t.needed : undefined}
              />
            ))}
          </FormGrid>
        ) : (
          <Alert variant="light" color="gray">
            {t.otherAuth(kind)}
          </Alert>
        )}
      </Stack>
    </Section>
  )
}

function AuthInput({
  field: { name, isSecret, isNeeded, isLong, choices, placeholder },
  draft,
  set,
  error,
}: {
  field: AuthField
  draft: ToolDraft
  set: ToolFormProps['set']
  error: string | undefined
}) {
  const t = useTexts(toolFormTexts)
  const { authorization } = draft
  const stored = authorization.fields[name]
  const label = (t.authFields as Readonly<Record<string, string>>)[name] ?? name
  const change = (value: unknown) =>
    set({ authorization: { ...authorization, fields: { ...authorization.fields, [name]: value } } })
  if (choices)
    return (
      <Select
        label={label}
        allowDeselect={false}
        value={typeof stored === 'string' && stored ? stored : choices[0]}
        onChange={change}
        data={choices.map((value) => ({
          value,
          label: (t.places as Readonly<Record<string, string>>)[value] ?? value,
        }))}
      />
    )
  const isKept = stored === MASK
  const shared = {
    label,
    required: isNeeded === true,
    placeholder: isKept ? t.kept : placeholder,
    autoComplete: 'off',
    value: isKept || typeof stored !== 'string' ? '' : stored,
    onChange: (event: { currentTarget: { value: string } }) => change(event.currentTarget.value),
    error,
  }
  if (isLong) return <Textarea {...shared} autosize minRows={3} maxRows={8} />
  return isSecret ? <PasswordInput {...shared} autoComplete="new-password" /> : <TextInput {...shared} />
}
