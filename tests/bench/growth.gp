# Cost against the number of boxes. Usage: gnuplot -e "data='FILE'; picture='FILE.svg'" growth.gp
set terminal svg size 860,520 font "sans-serif,13" background "white"
set output picture
set title "One layer, all against all, every box moving: a tick on one core"
set xlabel "boxes"
set ylabel "microseconds a tick"
set logscale xy
set format x "%.0s%c"
set grid
set key outside right
# Columns are named in the first line; each line has a colour and a mark of its own.
columns = words(system("head -1 ".data))
plot for [i=2:columns] data using 1:i with linespoints linetype i linewidth (i == 2 ? 4 : 1.5) title noenhanced columnheader(i)
