// A visually hidden label, for groups whose heading already says the same; `aria-label` would not reach the group.
export const hiddenLabel = {
  label: {
    position: 'absolute',
    width: 1,
    height: 1,
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  },
} as const
