/* Random bytes for programs that run under Wine. Rust's standard library asks bcryptprimitives.dll for them, which Wine
   has only from version 9 on. Windows has it, so this is for the tests alone. */
#include <windows.h>

BOOLEAN WINAPI SystemFunction036(PVOID bytes, ULONG count);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
    return SystemFunction036(bytes, (ULONG)count);
}
