/** A browser has no clipboard on pages without HTTPS, and its user may forbid it; then it returns false. */
export const copyIfAllowed = (text: string): Promise<boolean> =>
  window.isSecureContext
    ? navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : Promise.resolve(false);
