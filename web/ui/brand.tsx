/** The logo: a route drawn as a W, with the next stop as its dot. */
export const BrandMark = ({ className }: { className?: string }) => (
  <svg viewBox="0 0 32 32" aria-hidden="true" className={className}>
    <rect width="32" height="32" rx="8" className="fill-brand" />
    <path
      d="M6.5 11 11 22l5-11 5 11 2.2-5.4"
      fill="none"
      className="stroke-on-brand"
      strokeWidth="3"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
    <circle cx="25" cy="11" r="2.6" fill="#ffb703" />
  </svg>
)
