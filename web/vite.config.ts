import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/// Writes the list of the files of the page, for `public/offline.js`.
function offline(): Plugin {
  return {
    name: "offline",
    generateBundle(_, bundle) {
      const files = ["icon.svg", "manifest.webmanifest", ...Object.keys(bundle).filter((name) => name !== "index.html")];
      this.emitFile({ type: "asset", fileName: "offline.json", source: JSON.stringify(files) });
    },
  };
}

// Paths are relative, so that a copy works in any folder of any host. `npm run dev` sends questions to a local server.
export default defineConfig({
  base: "./",
  plugins: [svelte(), offline()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // A chunk whose styles could not be loaded once would never load them again.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    // The licences of the packages in the page. They go wherever the page goes, and into archives (scripts/release).
    license: { fileName: "licenses.json" },
  },
  worker: { format: "es" },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  test: { include: ["tests/unit/**/*.test.ts"] },
});
