// A visually hidden label for a group whose heading already names it; `aria-label` would not be passed on to the group.
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
