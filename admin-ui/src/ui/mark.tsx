/** The product's mark. */

export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden="true" focusable="false">
      <rect width="40" height="40" rx="9" fill="#1f5fbf" />
      <path d="M8 29h24v4H8zM11 23h18v4H11zM14 17h12v4H14z" fill="#fff" />
      <circle cx="20" cy="11" r="4" fill="#9ec5ff" />
    </svg>
  );
}
