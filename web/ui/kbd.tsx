export const Kbd = ({ children }: { children: string }) => (
  <kbd className="rounded border border-line bg-sunken px-1 font-sans text-ink-faint text-xs">{children}</kbd>
)
