/** A file input has no look of its own: it lies unseen over what is tapped. */
export const fileInput = {
  around: 'relative has-focus-visible:outline-3 has-focus-visible:outline-accent',
  over: 'absolute inset-0 cursor-pointer opacity-0',
} as const
