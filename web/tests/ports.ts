/// The ports of the servers, one for each way to serve the page.
export const PORTS = { none: 8191, copy: 8192, whole: 8193, server: 8194, site: 8195, simple: 8196 };

export const AT = Object.fromEntries(
  Object.entries(PORTS).map(([name, port]) => [name, `http://127.0.0.1:${port}/`]),
) as Record<keyof typeof PORTS, string>;
