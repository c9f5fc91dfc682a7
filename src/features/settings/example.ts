// Parses .env.example into a list of settings. It documents them all, so that nothing is documented twice.
import type { SettingGroup } from './schema.ts'

/** Values by name; null means set but secret. */
export type Given = Readonly<Record<string, string | null>>

const group = /^# --- (.+) ---$/
const setting = /^# ([A-Z][A-Z0-9_]*)=(\S*)(?:\s+#\s?(.*))?$/
const further = /^#\s{2,}#\s?(.*)$/

export function settingGroups(example: string, given: Given, isPlain: (name: string) => boolean): SettingGroup[] {
  const groups: SettingGroup[] = []
  for (const line of example.split('\n')) {
    const settings = groups.at(-1)?.settings
    const [, groupName] = group.exec(line) ?? []
    const [, name, standard, description = ''] = setting.exec(line) ?? []
    const [, more] = further.exec(line) ?? []
    const last = settings?.at(-1)
    if (groupName !== undefined) groups.push({ name: groupName, settings: [] })
    else if (name !== undefined) {
      const isSecret = !isPlain(name)
      const value = isSecret ? null : (given[name] ?? (standard || null))
      settings?.push({ name, value, isSecret, isSet: Object.hasOwn(given, name), description })
    } else if (more !== undefined && last) last.description = `${last.description} ${more}`.trim()
  }
  return groups
}
