// The theme that was chosen in the dashboard, set before anything is drawn; the button changes it for both.
;(() => {
  const KEY = 'mantine-color-scheme-value'
  const root = document.documentElement
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = () => {
    try {
      const value = localStorage.getItem(KEY)
      return value === 'light' || value === 'dark' ? value : null
    } catch {
      return null
    }
  }
  const current = () => chosen() ?? (system.matches ? 'dark' : 'light')
  const apply = () => {
    root.dataset.theme = current()
    const button = document.getElementById('theme')
    if (!button) return
    const [light, dark] = root.lang.startsWith('pt')
      ? ['Usar tema claro', 'Usar tema escuro']
      : ['Switch to light theme', 'Switch to dark theme']
    const name = current() === 'dark' ? light : dark
    button.setAttribute('aria-label', name)
    button.title = name
    button.hidden = false
  }
  apply()
  system.addEventListener('change', apply)
  document.addEventListener('DOMContentLoaded', () => {
    apply()
    document.getElementById('theme')?.addEventListener('click', () => {
      try {
        localStorage.setItem(KEY, current() === 'dark' ? 'light' : 'dark')
      } catch {
        return
      }
      apply()
    })
  })
})()
