// The fields of an answer hook: a server URL, or a spreadsheet and its columns.
import { NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { queries } from '../../api.ts'
import { commonTexts } from '../../i18n/common-texts.ts'
import { useTexts } from '../../i18n/language-provider.tsx'
import { type HookForm, type HookProblem, lookupColumns } from './answer-hook-form.ts'
import { answerHookTexts } from './answer-hook-texts.ts'

type FieldsProps = {
  form: HookForm
  onChange: (change: Partial<HookForm>) => void
  problems: ReadonlySet<HookProblem>
}

export function HookFields(props: FieldsProps) {
  const t = useTexts(answerHookTexts)
  const { form, onChange, problems } = props
  return (
    <>
      {form.kind === 'url' ? (
        <TextInput
          label={t.url}
          type="url"
          required
          placeholder="https://crm.example.com/answer"
          maxLength={2048}
          value={form.url}
          onChange={(event) => onChange({ url: event.currentTarget.value })}
          error={problems.has('url') && t.urlWrong}
        />
      ) : (
        <SheetFields {...props} />
      )}
      <NumberInput
        label={t.timeout}
        description={t.timeoutHint}
        allowDecimal={false}
        allowNegative={false}
        step={100}
        value={form.timeoutMs}
        onChange={(value) => onChange({ timeoutMs: typeof value === 'number' ? value : '' })}
        error={problems.has('timeoutMs') && t.timeoutWrong}
      />
      <Switch
        label={t.active}
        checked={form.isActive}
        onChange={(event) => onChange({ isActive: event.currentTarget.checked })}
      />
    </>
  )
}

function SheetFields({ form, onChange, problems }: FieldsProps) {
  const t = useTexts(answerHookTexts)
  const c = useTexts(commonTexts)
  const { data: sheets } = queries.useQuery('get', '/api/spreadsheets')
  const columns = sheets?.find(({ id }) => id === form.spreadsheetId)?.columns ?? []
  const chosen = form.spreadsheetId !== null
  return (
    <>
      <Select
        label={t.sheet}
        required
        searchable
        value={form.spreadsheetId}
        onChange={(spreadsheetId) => onChange({ spreadsheetId, column: null })}
        data={(sheets ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        error={problems.has('spreadsheetId') && t.sheetMissing}
      />
      <Select
        label={t.column}
        description={t.columnHint}
        required
        disabled={!chosen}
        value={form.column}
        onChange={(column) => onChange({ column })}
        data={columns}
        error={problems.has('column') && t.columnMissing}
      />
      {chosen &&
        lookupColumns.map((field) => (
          <Select
            key={field}
            label={t.columns[field]}
            placeholder={t.none}
            clearable
            clearButtonProps={{ 'aria-label': `${c.remove}: ${t.columns[field]}` }}
            value={form.columns[field]}
            onChange={(column) => onChange({ columns: { ...form.columns, [field]: column } })}
            data={columns}
          />
        ))}
    </>
  )
}
